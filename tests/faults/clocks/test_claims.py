"""What a client says of times and flags counts for nothing: only the server's clock does (T1, T6, T8)."""

import json

import pytest

from server.games.clocks.time_control import TimeControl
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.node import WHITE

FIELDS = ("clock", "time", "lag", "ms", "elapsed", "rtt", "at", "wtime", "blur", "mt", "s", "ts")
NUMBERS = (0, -1, 1, 10**9, -(10**12), 0.5, "0", None, [1], {"white": 1})
DAY = TimeControl.correspondence(1)
"""A clock whose flag falls without grace for lag."""
AT_ONCE = 8
"""So many unreadable messages are answered before the socket is cut; no more are sent on one."""


@pytest.mark.row("T1")
async def test_times_that_a_client_sends_are_refused_and_change_no_clock(node, variants, rng, scale, counted):
    game, white, _ = await node.opened(variants)
    before, cases = node.rounds.in_memory(game).game, scale(5_000)
    for number in range(cases):
        if number % AT_ONCE == 0:
            white.close()
            white = await node.seat(game, WHITE)
        told = {rng.choice(FIELDS): rng.choice(NUMBERS) for _ in range(rng.randrange(1, 4))}
        text = json.dumps({"t": "move", "id": 1, "ply": 2, "uci": "g1f3", **told})
        white.connection.receive(text, node.clock())
        assert white.last("error")["code"] == "bad_message", text
    after = node.rounds.in_memory(game).game
    assert (after.clock, after.plies) == (before.clock, before.plies)
    counted("moves with times of their own", cases)


@pytest.mark.row("T8")
async def test_no_flag_or_win_can_be_claimed_from_a_player_who_is_here(node, variants, rng, scale, counted):
    """There is no message for a flag; a claim is for an opponent who has left."""
    game, white, black = await node.opened(variants)
    before, cases = node.rounds.in_memory(game).game, scale(2_000)
    for number in range(cases):
        if number % AT_ONCE == 0:
            node.clock.turn(10)
            white.close()
            white = await node.seat(game, WHITE)
        claims = ({"t": "flag", "id": 1}, {"t": "claim", "id": 1, "result": rng.choice(("win", "draw"))})
        white.connection.receive(json.dumps(rng.choice(claims)), node.clock())
        await settle(5)
        assert white.last("error")["code"] in ("bad_message", "not_allowed")
    assert node.rounds.in_memory(game).game.plies == before.plies
    assert black.last("over") is None
    counted("claims", cases)


@pytest.mark.row("T6")
@pytest.mark.timeout(300)
async def test_a_move_and_its_flag_in_one_instant_have_one_outcome(node, store, clock, variants, rng, scale, counted):
    """The move is received up to 5 ms before or after the flag falls, and either is heard of first."""
    moved, races = 0, scale(10_000)
    for _ in range(races):
        game, white, black = await node.opened(variants, control=DAY)
        deadline, early = store.games[game].deadline, rng.randrange(-5, 6)
        left = deadline - clock()
        clock.turn(left - early)
        first = [lambda: white.send("move", uci="g1f3", ply=2), node.live.services.timers.fire_due]  # noqa: B023
        for act in first if early > 0 or rng.random() < 0.5 else reversed(first):
            act()
        await settle(15)
        await node.tick(max(0, early))
        plies, over = len(black.all("moved")), len(black.all("over"))
        assert (plies, over) == ((3, 0) if early > 0 else (2, 1)), early
        moved += plies == 3
        for client in (white, black):
            client.close()
    assert 0 < moved < races
    counted("races", races)
