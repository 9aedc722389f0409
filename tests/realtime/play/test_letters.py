"""Long messages in the chat of a correspondence game: neither a flood of them nor a page that comes costs much."""

import json
from itertools import pairwise

import pytest

from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.realtime.play.chat import (
    CHAT_BYTES,
    CHAT_LINES,
    KNOWN_LINES,
    LETTER,
    LINE,
    LINES,
    WINDOW_MS,
    ChatHistory,
    ChatLimiter,
    ChatRejected,
    SaidTooMuch,
    clean,
    form_of,
    newest,
)
from server.storage.stores import ChatLine
from tests.support.realtime.client import Client
from tests.support.realtime.hand_clock import START, settle
from tests.support.realtime.node import BLACK, WHITE

DAYS = TimeControl.correspondence(3)
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
HEAVIEST = "\U0001f600" * LETTER.longest
"""Four bytes each."""
LONGEST = {
    "letters": "x" * LETTER.longest,
    "emoji": HEAVIEST,
    "quotation marks": '"' * LETTER.longest,
    "line breaks": "a\n" * (LETTER.longest // 2),
    "accents": "e\u0301" * (LETTER.longest // 2),
    "Chinese": "\u738b" * LETTER.longest,
}


async def write(client, text):
    """Sends a message as browsers do, without escapes for what is not ASCII; returns the answer."""
    request = 1_000 + len(client.got)
    message = {"t": "chat", "id": request, "text": text}
    client.connection.receive(json.dumps(message, ensure_ascii=False), client.node.clock())
    await settle()
    client.read()
    return next(message for message in reversed(client.got) if message.get("id") == request)


# --- how long -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("control", "room", "form"),
    [
        (DAYS, "players", LETTER),
        (DAYS, "watchers", LINE),
        (TimeControl.realtime(300_000, 0), "players", LINE),
        (TimeControl.realtime(300_000, 0), "watchers", LINE),
        (TimeControl.unlimited(), "players", LINE),
    ],
)
def test_the_clock_and_the_room_decide_what_may_be_written(control, room, form):
    assert form_of(control, room) is form
    assert (LINE.longest, LETTER.longest) == (140, 2_000)


@pytest.mark.parametrize("form", [LINE, LETTER], ids=["a line", "a letter"])
@pytest.mark.parametrize("character", ["x", "\u738b", "\U0001f600"])
def test_the_longest_message_is_taken_and_one_character_more_is_refused(form, character):
    longest = character * form.longest
    assert ChatLimiter().accept("p", "g", longest, 0, form) == longest
    with pytest.raises(ChatRejected) as refused:
        ChatLimiter().accept("p", "g", longest + character, 0, form)
    assert (refused.value.id, refused.value.code) == ("chat_too_long", "bad_message")
    assert refused.value.params == {"most": form.longest}


def test_characters_are_counted_as_they_were_sent():
    """Two that become one count as two, as they always have."""
    written = "e\u0301" * (LINE.longest // 2)
    assert ChatLimiter().accept("p", "g", written, 0) == "\u00e9" * (LINE.longest // 2)
    with pytest.raises(ChatRejected):
        ChatLimiter().accept("p", "g", written + "e", 0)


@pytest.mark.parametrize("text", LONGEST.values(), ids=LONGEST.keys())
async def test_the_longest_letter_reaches_the_opponent_whatever_it_is_made_of(node, variants, text):
    _, white, black = await node.pair(variants, control=DAYS)
    assert (await write(white, text))["t"] == "ok"
    assert black.last("said")["line"]["text"] == clean(text, LETTER)


async def test_in_a_live_game_a_message_keeps_its_length_and_is_refused_by_name(node, variants):
    _, white, black = await node.pair(variants)
    assert (await write(white, "x" * 140))["t"] == "ok"
    refused = await write(white, "x" * 141)
    assert (refused["code"], refused["refusal"], refused["params"]) == ("bad_message", "chat_too_long", {"most": 140})
    assert [said["line"]["text"] for said in black.all("said")] == ["x" * 140]
    assert (await write(white, "one\ntwo"))["t"] == "ok"
    assert black.last("said")["line"]["text"] == "one two"


async def test_beyond_two_thousand_a_letter_is_refused_and_nothing_of_it_is_stored(node, store, variants):
    game, white, _ = await node.pair(variants, control=DAYS)
    refused = await write(white, "x" * 2_001)
    assert (refused["refusal"], refused["params"]) == ("chat_too_long", {"most": 2_000})
    assert await store.chat(game, 9) == []
    assert (await write(white, "x" * 2_000))["t"] == "ok", "what was refused has cost nothing"


async def test_watchers_of_a_game_of_days_write_lines(node, variants):
    game, *_ = await node.pair(variants, control=DAYS)
    watcher = await node.seat(game, Player("guest", "Gerda"))
    refused = await write(watcher, "x" * 141)
    assert (refused["refusal"], refused["params"]) == ("chat_too_long", {"most": 140})
    assert (await write(watcher, "one\ntwo"))["t"] == "ok"
    assert watcher.last("said")["line"]["text"] == "one two"


# --- what is shown --------------------------------------------------------------------------------------------------


@pytest.mark.row("I3")
@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("one\ntwo", "one\ntwo"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("\n\n one \n\n\n\n\n two \n", "one\n\ntwo"),
        ("\n" * 2_000, ""),
        ("a  b\t c\n d", "a b c\nd"),
        ("a\u2028b\u2029c\x85d\x0be\x0cf", "a b c d e f"),
        ("a\u0000b\x1b[31m\u202ec", "a b [31mc"),
        ("a\n\u0335\u0335b", "a\nb"),
        (f"{FAMILY}\u200d\n\u200d{FAMILY}", f"{FAMILY}\n{FAMILY}"),
        ("Z" + "\u0335" * 50 + "\nZ", "Z\u0335\u0335\nZ"),
        ("<b>x</b>\n& y", "<b>x</b>\n& y"),
    ],
)
def test_line_breaks_stay_and_all_else_is_removed_as_in_a_line(written, shown):
    assert clean(written, LETTER) == shown
    assert clean(shown, LETTER) == shown


# --- how much -------------------------------------------------------------------------------------------------------


def accepted(texts, every_ms, form=LETTER):
    """What of the texts, one each `every_ms`, is accepted: (ms, text) each."""
    heard, limiter = [], ChatLimiter()
    for number, text in enumerate(texts):
        try:
            heard.append((number * every_ms, limiter.accept("p", "g", text, number * every_ms, form)))
        except SaidTooMuch:
            continue
    return heard


def numbered(count, length):
    return (f"{number:06d}" + "x" * (length - 6) for number in range(count))


@pytest.mark.row("I13")
@pytest.mark.parametrize("length", [10, 140, 141, 700, 2_000])
def test_however_a_flood_is_cut_up_no_more_is_said_in_a_minute(length, scale):
    """Half a line a second, as in a live game, beyond what one may say at once."""
    seconds = scale(2_000)
    heard = accepted(numbered(seconds * 10, length), 100)
    at_once = max(LINES * LINE.longest, length)
    assert 0 < sum(len(text) for _, text in heard) <= at_once + seconds * LINES * LINE.longest * 1000 / WINDOW_MS
    if length > LINES * LINE.longest:
        gaps = [later - before for (before, _), (later, _) in pairwise(heard)]
        assert min(gaps) >= -(-length // LINE.longest) * WINDOW_MS / LINES


def test_after_a_letter_one_waits_before_the_next_line():
    limiter = ChatLimiter()
    limiter.accept("p", "g", "x" * 2_000, 0, LETTER)
    owed = 15 - LINES + 1
    with pytest.raises(ChatRejected) as early:
        limiter.accept("p", "g", "P.S.", owed * 2_000 - 1, LETTER)
    assert (early.value.id, early.value.code) == ("chat_too_fast", "rate")
    assert limiter.accept("p", "g", "P.S.", owed * 2_000 + 1, LETTER) == "P.S."
    assert limiter.accept("q", "g", "the opponent owes nothing", 0, LETTER)


def test_no_letter_is_said_twice():
    limiter = ChatLimiter()
    limiter.accept("p", "g", "x" * 2_000, 0, LETTER)
    with pytest.raises(ChatRejected) as again:
        limiter.accept("p", "g", "x" * 2_000, 60_000, LETTER)
    assert again.value.id == "chat_repeated"


def said(number, text, game="game"):
    return ChatLine(game, "players", WHITE.id, WHITE.name, text, START + number)


@pytest.mark.parametrize(
    ("text", "kept"),
    [("x", CHAT_LINES), ("\U0001f600" * 140, CHAT_LINES), ("x" * 2_000, 16), (HEAVIEST, 4), ("\u738b" * 2_000, 5)],
)
def test_a_page_gets_the_newest_messages_that_are_light_enough(text, kept):
    lines = [said(number, text) for number in range(200)]
    assert newest(lines) == tuple(lines[-kept:])
    history = ChatHistory(lines[:60])
    for line in lines[60:]:
        history.add(line)
    assert history.lines == tuple(lines[-kept:])
    assert sum(len(line.text.encode()) for line in history.lines) <= CHAT_BYTES


def test_a_message_is_known_until_so_many_newer_ones_have_come():
    first, *others, last = (said(number, "x") for number in range(KNOWN_LINES + 1))
    history = ChatHistory([first])
    for line in others:
        history.add(line)
    assert history.knows(first)
    history.add(last)
    assert not history.knows(first)


@pytest.mark.row("I13")
async def test_a_flood_of_letters_leaves_snapshots_and_memory_bounded(node, store, variants):
    """Both players write the heaviest letters as fast as they may, for an hour."""
    game, white, black = await node.pair(variants, control=DAYS)
    taken = 0
    for second in range(0, 3_600, 15):
        for client in (white, black):
            answer = await write(client, f"{second:04d}" + HEAVIEST[4:])
            taken += answer["t"] == "ok"
        await node.tick(15_000)
    assert taken == 2 * 3_600 / 30
    watcher, again = await node.seat(game, None), Client(node, WHITE)
    again.send("hi", proto=1, game=game)
    await settle()
    (snapshot,) = [text for text in again.outbox.read_all() if '"snapshot"' in text]
    assert len(snapshot.encode()) < CHAT_BYTES + 4_096
    assert [line["text"][:4] for line in json.loads(snapshot)["chat"]] == ["3540", "3540", "3570", "3570"]
    assert watcher.last("snapshot")["chat"] == []
    feed = node.rounds.in_memory(game).feed
    assert sum(len(line.text.encode()) for line in feed.chat.lines) <= CHAT_BYTES
    assert (white.code, black.code, watcher.code) == (None, None, None)
    assert len(await store.chat(game, 1_000)) == taken, "nothing that was acknowledged is lost"


async def test_letters_of_another_process_are_shown_once_though_a_page_gets_few(nodes, store, clock, variants):
    here, _ = nodes
    game = await here.new_game(variants, control=DAYS)
    white = await here.seat(game, WHITE)
    store.lines[game] = [
        ChatLine(game, "players", BLACK.id, BLACK.name, f"{n:02d}" + "x" * 1_998, clock() + n) for n in range(30)
    ]
    for _ in range(3):
        await here.live._look()
        white.read()
    assert [one["line"]["text"][:2] for one in white.all("said")] == [f"{n:02d}" for n in range(30)]
    fresh = await here.seat(game, WHITE)
    assert [line["text"][:2] for line in fresh.last("snapshot")["chat"]] == [f"{n:02d}" for n in range(14, 30)]
