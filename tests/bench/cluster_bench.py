"""Many nodes, reckoned: how busy the busiest is, what Redis has to carry, and how many games move when a node goes.

    python -m tests.bench.cluster_bench [NODES PLAYERS]

Games are spread as the proxy spreads them, by a consistent hash, and each is played at a pace of its own. What a move
and a message cost is what `nodes_bench` and `notices_bench` measured; what it costs to hear where players are is
measured here. Nothing else is: no network, no MongoDB.
"""

import random
import sys
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import process_time
from zlib import crc32

import orjson

from server.realtime.process.boards_elsewhere import BoardsElsewhere
from server.realtime.process.bus import PeopleOnNode, PresenceChanged
from server.realtime.process.notices.codec import read, written, written_together
from server.realtime.process.notices.gathered import GATHER_S, TOGETHER
from server.realtime.process.presence import PresenceState
from server.rules.variant.pieces import Color

MOVE_MS = 1.2
"""CPU of the node at which a game is at home, for each of 400 moves a second with MongoDB's stand-in."""
MESSAGE_MS, REDIS_MS = 0.045, 0.005
"""CPU of a node for a message that it hears, and of Redis for one that it hands on."""
BETWEEN_MOVES_S, GAME_S = 7.0, 600.0
REPEAT_S = 10.0
"""So often each node says again who is where."""
POINTS = 160
"""Of a node on the ring, as nginx has it."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """The busiest node and the one in the middle, parts of a core; messages a second at Redis; games that moved."""

    busiest: float
    middle: float
    hearing: float
    redis: float
    moved: float


def ring(nodes: Sequence[int]) -> list[tuple[int, int]]:
    return sorted((crc32(f"node{node}-{point}".encode()), node) for node in nodes for point in range(POINTS))


def homes(points: list[tuple[int, int]], games: int) -> list[int]:
    """The node of each game."""
    found = (bisect(points, (crc32(f"{game:010}".encode()), 0)) % len(points) for game in range(games))
    return [points[at][1] for at in found]


def cpu_ms(work: Callable[[], None], of: int) -> float:
    """CPU for each of so many things that `work` does."""
    work()
    began = process_time()
    for _ in range(20):
        work()
    return (process_time() - began) / 20 / of * 1e3


def seat_ms() -> float:
    """What it costs to hear where one player is."""
    seen = [PresenceChanged(f"{number:010}", Color.WHITE, PresenceState.HERE) for number in range(TOGETHER)]
    message, boards = orjson.dumps({"node": "a", **written_together(seen)}), BoardsElsewhere()

    def hear() -> None:
        for one in read(message):
            assert isinstance(one, PresenceChanged)
            boards.hear(one, 0)

    return cpu_ms(hear, TOGETHER)


def person_ms() -> float:
    """What it costs to hear that one person is on the site."""
    people = tuple(f"{number:010}" for number in range(5_000))
    message = orjson.dumps({"node": "a", **written(PeopleOnNode("a", people))[1]})
    return cpu_ms(
        lambda: [frozenset(one.people) for one in read(message) if isinstance(one, PeopleOnNode)] and None, 5_000
    )


def reckon(nodes: int, players: int, seat: float, person: float) -> Cluster:
    rng, games = random.Random(1), players // 2
    at, without_one = homes(ring(range(nodes)), games), homes(ring(range(max(1, nodes - 1))), games)
    moves: Counter[int] = Counter()
    for home in at:
        moves[home] += rng.expovariate(1.0) / BETWEEN_MOVES_S
    # Everybody comes and goes about twice in a game, and is told again every ten seconds.
    seats_a_s = players * (1 / REPEAT_S + 4 / GAME_S) if nodes > 1 else 0.0
    gathered = min(nodes / GATHER_S, seats_a_s) + seats_a_s / TOGETHER if nodes > 1 else 0.0
    hearing = (seats_a_s * seat + players / REPEAT_S * person + gathered * MESSAGE_MS) / 1e3 if nodes > 1 else 0.0
    busy = sorted(moves[node] * MOVE_MS / 1e3 + hearing for node in range(nodes))
    moved = sum(one != other for one, other in zip(at, without_one, strict=True)) / games
    # Where games have a home, what Redis carries is what everybody hears, and those who come to a game.
    redis = gathered * (nodes + 1) + games / GAME_S * 4
    return Cluster(busy[-1], busy[nodes // 2], hearing, redis, moved)


def main() -> None:
    seat, person = seat_ms(), person_ms()
    print(f"  to hear where a player is costs {seat * 1e3:.2f} us, that somebody is on the site {person * 1e3:.2f} us")
    asked = [tuple(map(int, sys.argv[1:3]))] if len(sys.argv) > 2 else [(2, 14_000), (17, 100_000), (170, 1_000_000)]
    for nodes, players in asked:
        found = reckon(nodes, players, seat, person)
        print(
            f"  {nodes:4} nodes, {players:9,} players: {players / 2 / BETWEEN_MOVES_S:8,.0f} moves/s; the busiest node"
            f" {found.busiest:4.0%}, the one in the middle {found.middle:4.0%}, of it hearing of others"
            f" {found.hearing:5.1%}; Redis {found.redis:8,.0f} messages/s, {found.redis * REDIS_MS / 1e3:4.0%};"
            f" {found.moved:.1%} of the games move when a node goes",
            flush=True,
        )


if __name__ == "__main__":
    main()
