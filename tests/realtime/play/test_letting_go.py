"""A round that nobody needs is freed at once: the garbage collector looks at old objects only once an hour."""

import gc

import pytest

from server.realtime.play.round import Round
from server.realtime.play.rounds import IDLE_MS
from tests.support.realtime.hand_clock import settle


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
