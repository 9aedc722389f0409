"""Whoever answers pings late on their own turn, and only then, is noticed; nobody else is (T2)."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from server.games.clocks.time_control import TimeControl
from tests.support.live.recorded_games import scores
from tests.support.realtime.client import Client

MOVES = 20
"""Within so many of their own moves they must have been noticed."""
PING_EVERY_MS = 2_500
HOUR = TimeControl.realtime(3_600_000, 0)


@dataclass(slots=True)
class Socket:
    """A player whose answers take `lag()` ms, and `late()` more on their own turn."""

    client: Client
    lag: Callable[[], int]
    late: Callable[[], int] = lambda: 0

    def takes(self, own_turn):
        return self.lag() + (self.late() if own_turn else 0)


def good(rng):
    base = rng.randrange(20, 400)
    return lambda: base + rng.randrange(100)


def bad(rng):
    """A connection whose answers scatter widely, and now and then take a second more."""
    base, jitter = rng.randrange(20, 400), rng.randrange(1, 400)
    return lambda: base + rng.randrange(jitter) + (1_000 if rng.random() < 0.05 else 0)


def answer_pings(node, sockets, mover):
    """Every ping that waits is answered when its socket has brought it there and back."""
    asked = node.clock()
    answers = [
        (socket.takes(socket is mover), number, message["p"])
        for number, socket in enumerate(sockets)
        for message in socket.client.read()
        if message["t"] == "ping"
    ]
    for took, number, payload in sorted(answers):
        node.clock.turn(asked + took - node.clock())
        sockets[number].client.send("pong", p=payload)


async def play(node, game, sockets, moves, rng):
    """So many moves of each side; each is thought about for one or two of the server's rounds of pings."""
    feed = node.rounds.in_memory(game).feed
    first = len(feed.shown.plies)
    for ply, uci in enumerate(moves[first : first + 2 * MOVES], first):
        mover = sockets[ply % 2]
        answer_pings(node, sockets, mover)
        for _ in range(rng.randrange(1, 3)):
            node.clock.turn(PING_EVERY_MS)
            feed.ping_players(node.clock())
            answer_pings(node, sockets, mover)
        assert (await mover.client.move(uci, ply))["t"] == "ok"
    for socket in sockets:
        socket.client.close()


@pytest.mark.row("T2")
async def test_a_player_who_answers_late_only_on_their_turn_is_noticed(node, variants, rng, scale, counted):
    figures, cheats = node.live.services.stats, scale(100)
    moves = next(score.moves for score in scores(2 * MOVES + 4) if score.start.variant == "chess")
    for number in range(cheats):
        game, *clients = await node.pair(variants, control=HOUR)
        sockets = [Socket(client, good(rng)) for client in clients]
        delay = rng.randrange(250, 2_000)
        sockets[number % 2].late = lambda: delay  # noqa: B023 - played right here
        before = figures.late_on_turn
        await play(node, game, sockets, moves, rng)
        assert figures.late_on_turn > before, delay
    counted("players who answer late on their turns", cheats)


@pytest.mark.row("T2")
async def test_nobody_is_suspected_for_a_bad_connection(node, variants, rng, scale, counted):
    games = scale(100) // 2 or 1
    moves = next(score.moves for score in scores(2 * MOVES + 4) if score.start.variant == "chess")
    for _ in range(games):
        game, *clients = await node.pair(variants, control=HOUR)
        await play(node, game, [Socket(client, bad(rng)) for client in clients], moves, rng)
    assert node.live.services.stats.late_on_turn == 0
    counted("players with answers that scatter by up to 400 ms", 2 * games)


@pytest.mark.row("T2")
async def test_a_move_that_is_held_back_gains_nothing(node, variants):
    """Of somebody whose answers to pings are quick."""
    game, white, black = await node.opened(variants, control=HOUR)
    feed = node.rounds.in_memory(game).feed
    for _ in range(5):
        node.clock.turn(PING_EVERY_MS)
        feed.ping_players(node.clock())
        answer_pings(node, [Socket(white, lambda: 5)], None)
    node.clock.turn(500)
    assert (await white.move("g1f3", 2))["t"] == "ok"
    assert black.last("moved")["lag"] == 5
