"""A pause in a correspondence game, as the players' pages see it and as it is told to those who are away."""

import pytest

from server.games.clocks.time_control import DAY_MS, TimeControl
from server.realtime.domain_events import GamePaused, GameResumed
from tests.support.realtime.node import BLACK, WHITE, Node

DAYS = TimeControl.correspondence(3)


async def paused(node, variants):
    """Both have moved, and agree to a pause; then Black leaves. Returns the game's id, both clients and the news."""
    game, white, black = await node.opened(variants, control=DAYS)
    told = []
    node.live.services.events.subscribe(told.append)
    assert (await white.ask("offer", kind="adjourn"))["refusal"] == "no_adjournment_untimed"
    assert (await white.ask("offer", kind="pause"))["t"] == "ok"
    black.read()
    assert (await black.ask("accept", offer=black.last("offered")["offer"]))["t"] == "ok"
    white.read()
    return game, white, black, [event for event in told if isinstance(event, GamePaused | GameResumed)] or told


async def test_everybody_sees_it_and_one_word_of_either_ends_it(node, store, clock, variants):
    game, white, black, _ = await paused(node, variants)
    assert white.last("adjourned")["clock"]["paused"] == "adjourned"
    assert (await white.ask("move", uci="g1f3", ply=2))["refusal"] == "paused"
    black.close(bye=True)
    await node.tick(400 * DAY_MS)
    assert store.games[game].outcome is None
    back = await node.seat(game, BLACK)
    assert (await back.ask("ready"))["t"] == "ok"
    white.read()
    assert white.last("clock")["why"] == "resumed"
    assert "g1f3" in white.last("clock")["legal"]
    assert (await white.ask("move", uci="g1f3", ply=2))["t"] == "ok"


@pytest.mark.parametrize("here", [True, False])
async def test_who_did_not_do_it_is_told_unless_they_are_at_the_board(node, variants, here):
    game, white, black = await node.opened(variants, control=DAYS)
    told = []
    node.live.services.events.subscribe(told.append)
    await white.ask("offer", kind="pause")
    if not here:
        white.close(bye=True)
    black.read()
    await black.ask("accept", offer=black.last("offered")["offer"])
    await black.ask("ready")
    away = () if here else (WHITE,)
    assert [event.away for event in told if isinstance(event, GamePaused)] == [away]
    assert [event.away for event in told if isinstance(event, GameResumed)] == [away]
    assert game == told[-1].game.id


async def test_a_restart_ends_no_pause(node, store, clock, variants):
    game, _, _, _ = await paused(node, variants)
    store.alive = clock() - 1_000
    await node.live.services.background.finish(0)
    clock.turn(DAY_MS)
    reborn = Node(store, clock)
    await reborn.recover()
    white = await reborn.seat(game, WHITE)
    await reborn.tick(10 * DAY_MS)
    white.read()
    assert white.last("clock") is None
    assert store.games[game].adjourned is not None
