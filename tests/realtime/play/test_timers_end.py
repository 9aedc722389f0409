"""No timer outlives its game: not when it ends, in whichever way, nor when it is deleted or leaves the memory."""

import asyncio
import logging

import pytest

from server.games.clocks.time_control import TimeControl
from server.realtime.cluster.bus import deletion_of
from server.realtime.cluster.presence import LEFT_MS
from server.realtime.play.rounds import HORIZON_MS, IDLE_MS
from tests.support.realtime.hand_clock import settle

MATE = ("f1c4", "b8c6", "d1h5", "g8f6", "h5f7")


def timers_of(node, game):
    """What will still happen to the game by itself."""
    return [key for key in node.live.services.timers._entries if isinstance(key, tuple) and key[0] == game]


async def resign(node, game, white, black):
    await white.ask("resign")


async def agree(node, game, white, black):
    await white.ask("offer", kind="draw")
    await black.ask("accept", offer=1)


async def mate(node, game, white, black):
    for ply, uci in enumerate(MATE, start=2):
        await (white, black)[ply % 2].move(uci, ply)


async def flag(node, game, white, black):
    await node.tick(400_000)


async def claim(node, game, white, black):
    white.close()
    await node.tick(LEFT_MS + 60_000)
    await black.ask("claim", result="win")


async def leave_and_flag(node, game, white, black):
    white.close()
    black.close()
    await node.tick(400_000)


@pytest.mark.parametrize("end", [resign, agree, mate, flag, claim, leave_and_flag])
async def test_a_game_that_is_over_has_no_timer(node, store, variants, end):
    game, white, black = await node.opened(variants)
    assert timers_of(node, game)
    await end(node, game, white, black)
    assert store.games[game].outcome is not None
    await node.pass_time(10)
    assert timers_of(node, game) == []
    for player in (white, black):
        player.close()
    await node.pass_time(10)
    assert timers_of(node, game) == [], "who leaves sets none again, but for a moment to tell of it"


async def test_a_game_that_nobody_begins_has_none(node, store, variants):
    game, *_ = await node.pair(variants)
    assert timers_of(node, game)
    await node.pass_time(300)
    assert store.games[game].outcome is not None
    assert timers_of(node, game) == []


async def test_a_deleted_game_has_none_when_its_players_have_gone(node, store, variants):
    game, white, black = await node.opened(variants)
    node.live.deleted(deletion_of(store.games.pop(game)))
    for player in (white, black):
        player.close()
    await node.tick(1_000)
    assert timers_of(node, game) == []


@pytest.fixture
def stored(store, monkeypatch):
    """Until it is set, nothing is stored."""
    go_on, save = asyncio.Event(), store.save

    async def later(before, after):
        await go_on.wait()
        await save(before, after)

    go_on.set()
    monkeypatch.setattr(store, "save", later)
    return go_on


async def test_a_game_that_is_deleted_while_a_move_is_stored_has_none(node, store, variants, stored):
    game, white, _ = await node.opened(variants)
    stored.clear()
    white.send("move", uci="g1f3", ply=2)
    await settle()
    node.live.deleted(deletion_of(store.games[game]))
    stored.set()
    await settle()
    assert timers_of(node, game) == []


async def test_a_game_that_has_left_the_memory_has_none(node, variants):
    game, white, black = await node.opened(variants, control=TimeControl.correspondence(14))
    for player in (white, black):
        player.close()
    await node.tick(max(IDLE_MS, LEFT_MS) + HORIZON_MS // 10)
    await node.rounds.unload_idle()
    assert node.rounds.in_memory(game) is None
    assert timers_of(node, game) == []


async def test_a_game_that_its_own_timer_ends_at_that_moment_is_no_news_for_the_log(
    node, store, clock, variants, stored, caplog
):
    game, *_ = await node.opened(variants)
    clock.at = store.games[game].deadline
    caplog.set_level(logging.INFO)
    stored.clear()
    node.live.services.timers.fire_due()
    await settle()
    looking = asyncio.create_task(node.rounds.check_deadlines())
    await settle()
    stored.set()
    await looking
    assert store.games[game].outcome.reason == "time"
    assert "its deadline has passed" not in caplog.text
