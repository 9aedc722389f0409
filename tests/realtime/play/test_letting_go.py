"""A round that nobody needs is let go, and freed at once: the garbage collector looks at old objects only once an hour.

Somebody may still hold it, who has found it before they waited for something: of one game there are never two.
"""

import gc

import pytest

from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import TimeControl
from server.realtime.play.round import Round
from server.realtime.play.rounds import IDLE_MS
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK


def rounds_of(game):
    return [one for one in gc.get_objects() if isinstance(one, Round) and one.game.id == game]


@pytest.mark.row("S6")
async def test_an_unloaded_round_is_freed_without_the_garbage_collector(node, clock, variants, uncollected):
    game, white, black = await node.opened(variants)
    assert (await white.move("g1f3", 2))["t"] == "ok"
    assert (await black.ask("resign"))["t"] == "ok"
    for client in (white, black):
        client.close()
    await settle()
    assert len(rounds_of(game)) == 1
    clock.turn(IDLE_MS + 1)
    await node.rounds.unload_idle()
    await settle()
    assert rounds_of(game) == []


async def held_and_unloaded(node, clock, variants):
    """A round that is not in memory any more, but for whoever found it before."""
    game, white, black = await node.pair(variants, control=TimeControl.correspondence(3))
    white.close()
    black.close()
    held = await node.rounds.get(game)
    clock.turn(IDLE_MS + 1)
    await node.rounds.unload_idle()
    assert node.rounds.in_memory(game) is None
    return held


async def test_what_is_done_by_a_round_that_was_unloaded_meanwhile_is_shown(node, clock, variants):
    held = await held_and_unloaded(node, clock, variants)
    viewer = await node.seat(held.game.id, BLACK)
    await held.submit(PlayMove(Color.WHITE, "e2e4", 0), clock())
    assert viewer.last("moved")["uci"] == "e2e4"
    assert node.rounds.in_memory(held.game.id).game.rev == held.game.rev


async def test_a_round_that_is_used_again_knows_what_others_have_stored(nodes, store, clock, variants):
    node, other = nodes
    held = await held_and_unloaded(node, clock, variants)
    await (await other.rounds.get(held.game.id)).submit(PlayMove(Color.WHITE, "e2e4", 0), clock())
    assert (await node.rounds.get(held.game.id)).game == store.games[held.game.id]
    assert node.rounds.in_memory(held.game.id) is held


async def test_a_round_that_cannot_be_used_again_yet_stays_the_only_one(node, store, clock, variants):
    held = await held_and_unloaded(node, clock, variants)
    with store.outage(), pytest.raises(Unavailable):
        await node.rounds.get(held.game.id)
    assert await node.rounds.get(held.game.id) is held


async def test_the_timers_of_a_round_that_is_used_again_run(node, store, clock, variants):
    held = await held_and_unloaded(node, clock, variants)
    await node.rounds.get(held.game.id)
    await node.tick(store.games[held.game.id].deadline - clock())
    assert store.games[held.game.id].outcome.reason == "expired"


async def test_a_game_that_was_deleted_meanwhile_is_not_used_again(node, store, clock, variants):
    held = await held_and_unloaded(node, clock, variants)
    del store.games[held.game.id]
    assert await node.rounds.get(held.game.id) is None
