"""A correspondence game that waits for somebody who is away: on pages that show it, over restarts, on a second node."""

import pytest

from server.games.changes.pausing import ComeBack, GoAway
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.realtime.play.rounds import HORIZON_MS, IDLE_MS
from server.rules.variant.pieces import Color
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import BLACK, WHITE, Node

DAYS = TimeControl.correspondence(3)


@pytest.fixture
async def game(node, variants):
    """Its id, and both players' clients; White is to move."""
    return await node.opened(variants, control=DAYS)


async def submit(node, game_id, command):
    found = await node.rounds.get(game_id)
    await found.submit(command, node.clock())
    await settle()


async def test_everybody_at_the_board_sees_who_is_away_and_that_the_clock_stands(node, clock, game):
    game_id, white, black = game
    until = clock() + 7 * DAY_MS
    await submit(node, game_id, GoAway(Color.BLACK, until))
    for client in (white, black):
        client.read()
        told = client.last("vacation")
        assert (told["away"], told["clock"]["paused"]) == ({"black": until}, "vacation")
        assert "run" not in told["clock"]
    watcher = await node.seat(game_id, None)
    assert watcher.last("snapshot")["away"] == {"black": until}
    assert (await white.ask("move", uci="g1f3", ply=2))["t"] == "ok"
    await submit(node, game_id, ComeBack(Color.BLACK))
    white.read()
    assert "away" not in white.last("vacation")
    assert white.last("vacation")["clock"]["run"] == "black"


async def test_a_vacation_ends_by_itself_while_somebody_looks(node, store, clock, game):
    game_id, white, _black = game
    await submit(node, game_id, GoAway(Color.WHITE, clock() + DAY_MS))
    await node.tick(DAY_MS - 1)
    assert store.games[game_id].on_vacation
    await node.tick(1)
    assert not store.games[game_id].on_vacation
    white.read()
    assert white.last("vacation")["clock"] == {"white": 3 * DAY_MS, "black": 3 * DAY_MS, "run": "white"}


async def test_a_restart_does_not_end_it_and_one_that_ended_meanwhile_is_found(node, store, clock, game):
    game_id, *_ = game
    until = clock() + 7 * DAY_MS
    await submit(node, game_id, GoAway(Color.WHITE, until))
    await node.live.stop()
    clock.turn(6 * DAY_MS)
    again = Node(store, clock)
    await again.recover()
    assert again.rounds.in_memory(game_id) is None
    for player in (WHITE, BLACK):
        client = await again.seat(game_id, player)
        assert client.last("crowd").get("resume_in") is None
    await again.tick(120_000)
    assert store.games[game_id].away == (until, 0)
    await again.live.stop()
    clock.turn(20 * DAY_MS)
    third = Node(store, clock)
    await third.recover()
    await third.rounds.check_deadlines()
    resumed = store.games[game_id]
    assert (resumed.on_vacation, resumed.clock.paused_at) == (False, None)
    assert resumed.deadline == clock() + 3 * DAY_MS


async def test_a_game_that_waits_is_not_kept_in_memory(node, store, clock, game):
    game_id, white, black = game
    await submit(node, game_id, GoAway(Color.WHITE, clock() + 7 * DAY_MS))
    for client in (white, black):
        client.close(bye=True)
    await settle()
    clock.turn(IDLE_MS + 1)
    await node.rounds.unload_idle()
    assert node.rounds.in_memory(game_id) is None
    clock.turn(7 * DAY_MS - HORIZON_MS)
    await node.rounds.check_deadlines()
    assert node.rounds.in_memory(game_id) is not None
