"""Names and lines of chat in the scripts and tricks of the world: nobody can look like another, or harm a page
(I2, I3, I11, I13).
"""

import json
import logging
import random
import unicodedata

import pytest

from server.games.player import Player
from server.realtime.play.chat import LETTER, LINE, MARKS_PER_LETTER, ChatLimiter, ChatRejected, clean
from server.storage.tables.accounts import fold
from server.web.accounts.credentials import BadName, check_name
from server.web.operation.logs import JsonFormatter
from tests.support.realtime.client import Client
from tests.support.realtime.hand_clock import settle

OWNERS = ("Anna", "Magnus", "Boris10", "oOlIi10", "queen_of_spades", "Paul-Morphy")
LOOKALIKES = {
    "a": "\u0430\u00e0\u0251\uff41\U0001d41a",
    "n": "\u0578\uff4e\u00f1\U0001d427",
    "o": "\u043e\u03bf\u00f6\uff4f\u0585",
    "i": "\u0131\u0456\u00ed\uff49",
    "e": "\u0435\u00e9\uff45",
    "s": "\u0455\uff53",
    "_": "\uff3f\u203f",
    "-": "\u2010\u2011\u2013\u00ad",
}
HIDDEN = "\u200b\u200c\u200d\u2060\ufeff\u00ad\u202e\u2066\u0301\u0000\n\r\t \u00a0\u3164\u115f\U000e0041"


def tricky(rng):
    """Somebody's name, made to look the same by another sign or one that is not seen."""
    name = rng.choice(OWNERS)
    at = rng.randrange(len(name))
    if rng.random() < 0.5:
        at = rng.randrange(len(name) + 1)
        return name[:at] + rng.choice(HIDDEN) + name[at:]
    signs = LOOKALIKES.get(name[at].lower(), HIDDEN)
    return name[:at] + rng.choice(signs) + name[at + 1 :]


@pytest.mark.row("I2")
def test_no_foreign_or_invisible_character_imitates_a_name(scale, seed, counted):
    rng, names = random.Random(f"{seed} I2"), scale(6_000)
    for name in (tricky(rng) for _ in range(names)):
        with pytest.raises(BadName):
            check_name(name)
    for own in OWNERS:
        for _ in range(names // 20):
            alike = "".join(rng.choice({"o": "0oO", "l": "1lI", "i": "1iI"}.get(fold(sign), sign)) for sign in own)
            assert fold(alike) == fold(own)
    counted("names", names)


def wild(rng):
    """A line of chat out of marks, signs of direction, joiners, control characters, emoji, and some letters."""
    marks = [chr(code) for code in (*range(0x300, 0x370), *range(0x20D0, 0x20F0), 0xE31, 0xFE0F)]
    parts = [
        lambda: rng.choice("aZé王ยא\U0001f468"),
        lambda: "".join(rng.choices(marks, k=rng.choice((1, 3, 50, 2_000)))),
        lambda: rng.choice("\u202e\u202d\u2066\u2069\u200e\u200f\u061c"),
        lambda: chr(rng.randrange(0x20)),
        lambda: rng.choice("\u200d\u200b\u2028\u2029\ufeff\u00ad\ue000\U000e0041"),
        lambda: chr(rng.randrange(0x11_0000)),
        lambda: "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    ]
    return "".join(rng.choice(parts)() for _ in range(rng.randrange(1, 40)))


@pytest.mark.row("I3")
def test_a_chat_line_is_shown_short_on_one_line_and_in_one_direction(scale, seed, counted):
    rng, lines = random.Random(f"{seed} I3"), scale(4_000)
    for line in (wild(rng) for _ in range(lines)):
        shown, marks = clean(line), 0
        assert len(shown) <= LINE.longest
        assert shown == clean(shown)
        letter = clean(f"{line}\n{shown}", LETTER)
        assert letter == clean(letter, LETTER)
        assert all(part == clean(part, LETTER) and "\n" not in clean(part) for part in letter.split("\n"))
        for at, sign in enumerate(shown):
            kind = unicodedata.category(sign)
            assert kind not in ("Cc", "Cs", "Co", "Cn", "Zl", "Zp"), repr(line)
            assert kind != "Cf" or (sign == "\u200d" and 0 < at < len(shown) - 1), repr(line)
            marks = marks + 1 if kind.startswith("M") else 0
            assert marks <= MARKS_PER_LETTER + shown[: at + 1].count("\u200d"), repr(line)
    counted("lines", lines)


@pytest.mark.row("I3")
async def test_tricks_are_removed_from_what_is_said(node, variants, seed, counted):
    rng, said = random.Random(f"{seed} I3 said"), 0
    _, white, black = await node.opened(variants)
    for number in range(20):
        written = f"{number} {wild(rng)}"[: LINE.longest]
        if (await white.ask("chat", text=written.encode("utf-16", "surrogatepass").decode("utf-16", "replace")))[
            "t"
        ] == "ok":
            said += 1
        node.clock.turn(10_000)
    shown = [message["line"]["text"] for message in black.all("said")]
    assert len(shown) == said > 10
    assert shown == [clean(text) for text in shown]
    counted("lines", said)


FORGERIES = (
    '\n{"level":"info"}',
    "\r\nGET /",
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\x08\x08",
    "\u2028",
    "\x85",
    "\x00",
)


@pytest.mark.row("I11")
def test_no_text_forges_a_line_of_the_log(scale, seed, counted):
    rng, texts = random.Random(f"{seed} I11"), scale(2_000)
    for _ in range(texts):
        text = "".join(rng.choice((*FORGERIES, "Anna", "x")) for _ in range(6))
        record = logging.LogRecord("server.web", logging.WARNING, "x.py", 1, "asked for %s by %r", (text, text), None)
        written = JsonFormatter().format(record)
        assert not set(written) & {chr(code) for code in range(0x20)}
        assert json.loads(written)["msg"] == f"asked for {text} by {text!r}"
    counted("texts", texts)


@pytest.mark.row("I13")
def test_a_flood_of_chat_is_cut_to_the_allowance(scale, counted):
    lines, heard, chat_limiter = scale(20_000), [], ChatLimiter()
    for number in range(lines):
        at = number * 10
        try:
            heard.append((at, chat_limiter.accept("flooder", "game", f"line {number // 2}", at)))
        except ChatRejected:
            continue
    assert len(heard) <= 5 + lines * 10 / 2_000
    for begun, _ in heard:
        assert sum(begun <= at < begun + 10_000 for at, _ in heard) <= 10
    assert chat_limiter.accept("somebody else", "game", "hello", lines * 10) == "hello"
    counted("lines", lines)


@pytest.mark.row("I13")
async def test_players_do_not_see_the_watchers_chat_while_they_play(node, variants, scale, counted):
    game, white, black = await node.opened(variants)
    watchers = scale(200)
    for number in range(watchers):
        watcher = Client(node, Player(f"watcher-{number}", f"Watcher{number}"))
        await watcher.hi(game)
        assert (await watcher.ask("chat", text=f"Nf3 wins {number}"))["t"] == "ok"
        watcher.close()
    await settle()
    for one in (white, black):
        assert one.all("said") == []
        assert "Nf3 wins" not in json.dumps(one.got)
    counted("lines", watchers)
