"""Chat: who reads whom, what a line may have, and how often somebody may write."""

import pytest

from server.games.player import Player
from server.realtime.play.chat import LINES, ChatLimiter, ChatRejected, clean
from server.rules.variant.pieces import Color
from tests.support.realtime.client import Client
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import WHITE


async def test_players_read_players_and_watchers_read_watchers(node, variants):
    game, white, black = await node.opened(variants)
    watcher = Client(node, None)
    await watcher.hi(game)
    assert (await watcher.ask("chat", text="hm"))["code"] == "not_a_player"
    await white.ask("chat", text="hello")
    assert black.last("said")["line"]["text"] == "hello"
    assert watcher.last("said") is None
    assert watcher.last("nothing")["v"] == black.last("said")["v"]


@pytest.mark.row("I3")
@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("  hello \n world ", "hello world"),
        ("a\u202eb", "ab"),
        ("a\u0000b\x1b[31m", "a b [31m"),
        ("e\u0301", "\u00e9"),
        ("Z" + "\u0335" * 50, "Z\u0335\u0335"),
        ("\u0335\u0335", ""),
        ("\u200d\u200d", ""),
        ("\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f468\u200d\U0001f469\u200d\U0001f467"),
        ("a\u200db", "ab"),
        ("<b>x</b> & y", "<b>x</b> & y"),
        ("\ue000\ufdd0", ""),
        ("x" * 140, "x" * 140),
    ],
)
def test_chat_is_cleaned_before_it_is_shown(written, shown):
    assert clean(written) == shown


def test_cleaning_twice_changes_nothing():
    for written in ("a\u0301\u0301\u0301b", " \u200d x\u200d", "\U0001f468\u200d", "\u2028a\u2029"):
        assert clean(clean(written)) == clean(written)


@pytest.mark.row("I13")
def test_five_chat_lines_in_ten_seconds_and_none_twice():
    chat_limiter = ChatLimiter()
    for number in range(LINES):
        assert chat_limiter.accept("p", "g", f"line {number}", 0) == f"line {number}"
    with pytest.raises(ChatRejected) as flood:
        chat_limiter.accept("p", "g", "one more", 0)
    assert flood.value.code == "rate"
    assert chat_limiter.accept("p", "g", "later", 10_000) == "later"
    with pytest.raises(ChatRejected) as again:
        chat_limiter.accept("p", "g", "later", 10_000)
    assert again.value.code == "not_allowed"
    assert chat_limiter.accept("p", "another game", "later", 10_000) == "later"
    assert chat_limiter.accept("q", "g", "later", 10_000) == "later"


async def test_watchers_chat_reaches_players_only_after_the_game(node, variants):
    game, white, _ = await node.opened(variants)
    watcher = await node.seat(game, Player("guest", "Gerda"))
    await watcher.ask("chat", text="Nf3!")
    assert white.last("said") is None
    fresh = await node.seat(game, WHITE)
    assert fresh.last("snapshot")["chat"] == []
    await white.ask("resign")
    assert node.rounds.in_memory(game).game.outcome.winner is Color.BLACK
    white.read()
    assert [line["text"] for line in white.last("snapshot")["chat"]] == ["Nf3!"]
    after = await node.seat(game, WHITE)
    assert [line["text"] for line in after.last("snapshot")["chat"]] == ["Nf3!"]
    await watcher.ask("chat", text="gg")
    await settle()
    assert white.last("said")["line"]["text"] == "gg"


async def test_a_player_cut_off_at_the_end_also_reads_what_the_watchers_said(node, variants):
    game, white, black = await node.opened(variants)
    watcher = await node.seat(game, Player("guest", "Gerda"))
    await watcher.ask("chat", text="Nf3!")
    white.read()
    known = white.last("snapshot")["epoch"], node.rounds.in_memory(game).feed.v
    white.close()
    await black.ask("resign")
    back = Client(node, WHITE)
    await back.hi(game, *known)
    assert [line["text"] for line in back.last("snapshot")["chat"]] == ["Nf3!"]
    watcher.read()
    assert (watcher.last("nothing")["v"], watcher.last("over")["v"]) == (known[1] + 2, known[1] + 1)
