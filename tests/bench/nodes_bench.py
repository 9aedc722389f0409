"""What several nodes take: the cost of a move and of a notice, and what that gives for more nodes than one machine has.

    python -m tests.bench.nodes_bench [moves] [notices]
    python -m tests.bench.nodes_bench projected [NODES PLAYERS]

Without arguments all of them. Needs Linux and redis-server.
"""

import asyncio
import random
import sys
import tempfile
from bisect import bisect
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from time import process_time
from zlib import crc32

import uvloop
from redis.asyncio import Redis

from server.realtime.cluster import redis_bus
from server.realtime.cluster.bus import GameStored, GameTopic, Missed, PeopleOnNode, PresenceChanged, Topic
from server.realtime.cluster.presence import BoardsElsewhere, PresenceState
from server.realtime.cluster.redis_bus import (
    CHANNEL,
    GATHER_S,
    SEATS_AT_ONCE,
    RedisBus,
    channel_of,
    read_notices,
    write_notices,
)
from server.rules.variant.pieces import Color
from tests.support.live.play import play_paced, seat_at, settle
from tests.support.live.processes import SITE, cpu_s
from tests.support.live.recorded_games import scores
from tests.support.live.tables import Figures, Table, centile
from tests.support.redis_server import RedisServer
from tests.support.storage.engines import MongoPlace
from tests.support.storage.secantus import secantus_in_memory
from tests.support.web.host import Host

# Moves

TABLES = 50
MOVES_PER_S = 100
SECONDS = 20.0
"""So many tables and moves at each place: a node that has more to do at once pays less for a move."""


@asynccontextmanager
async def database_and_redis() -> AsyncIterator[tuple[MongoPlace, RedisServer]]:
    redis = RedisServer()
    await redis.start()
    try:
        with secantus_in_memory() as database:
            yield MongoPlace(database.uri), redis
    finally:
        await redis.kill()


@asynccontextmanager
async def nodes(folder: Path, place: MongoPlace, redis: str | None, number: int) -> AsyncIterator[Sequence[Host]]:
    shared = {"PUBLIC_URL": SITE, "MONGODB_URI": place.uri}
    hosts = [Host(folder / f"node{each}") for each in range(number)]
    try:
        for host in hosts:
            await host.start(**shared, **({"REDIS_URL": redis} if redis else {}))
        yield hosts
    finally:
        for host in hosts:
            await host.kill()


async def seat(hosts: Sequence[Host], seats: Sequence[tuple[int, int]], figures: Figures) -> list[Table]:
    """TABLES at each of `seats`: the nodes of White and Black, by number."""
    chosen = list(islice(cycle(scores(int(MOVES_PER_S * SECONDS / TABLES) + 10)), TABLES))
    tables: list[Table] = []
    for white, black in seats:
        tables += await seat_at(hosts[white].port, hosts[black].port, chosen, figures)
    await settle(tables)
    # Those of all nodes in turn.
    return [table for number in range(TABLES) for table in tables[number::TABLES]]


async def cost_of_moves(what: str, hosts: Sequence[Host], redis: RedisServer, *seats: tuple[int, int]) -> None:
    """What a move costs each node, besides what it spends while nobody moves.

    Where games are at home at both nodes, that is a move of its own; otherwise any move.
    """
    figures = Figures()
    tables = await seat(hosts, seats, figures)
    figures.seen.clear()
    figures.acknowledged.clear()
    processes = [*(host.process.pid for host in hosts), redis.process.pid]
    before = [cpu_s(pid) for pid in processes]
    await asyncio.sleep(SECONDS)
    quiet = [cpu_s(pid) for pid in processes]
    await play_paced(tables, MOVES_PER_S * len(seats), SECONDS)
    idle = [now - had for now, had in zip(quiet, before, strict=True)]
    spent = [cpu_s(pid) - had - none for pid, had, none in zip(processes, quiet, idle, strict=True)]
    ok, seen = figures.acknowledged, figures.seen
    a_move = [f"{each / len(seen) * len(seats) * 1e3:6.3f}" for each in spent]
    print(
        f"  {what:34} {len(seen) / SECONDS:4.0f} moves/s  ok p50 {centile(ok, 0.5) * 1e3:5.1f}  "
        f"seen p50 {centile(seen, 0.5) * 1e3:5.1f} p99 {centile(seen, 0.99) * 1e3:6.1f} ms  "
        f"CPU ms a move: nodes {' '.join(a_move[:-1])}, Redis {a_move[-1]}"
        f"  at rest: {' '.join(f'{each / SECONDS * 100:.1f} %' for each in idle[:-1])}"
        + (f"  REFUSED {len(figures.refused)}" if figures.refused else ""),
        flush=True,
    )
    for table in tables:
        for socket in table.sockets:
            socket.close()


async def moves() -> None:
    """What a move costs each of several nodes: games at home at one or at both, players apart, and one node alone.

    The store is SecantusDB, which speaks MongoDB's protocol: what is measured is the nodes and Redis, not MongoDB. All
    variants, every limit in force, everything on one machine.
    """
    with tempfile.TemporaryDirectory() as name:
        async with database_and_redis() as (place, redis):
            for again in range(2):
                async with nodes(Path(name) / f"alone{again}", place, None, 1) as hosts:
                    await cost_of_moves("one node alone", hosts, redis, (0, 0))
                async with nodes(Path(name) / f"both{again}", place, redis.url, 2) as hosts:
                    await cost_of_moves("all games at one of two", hosts, redis, (0, 0))
                    await cost_of_moves("as many games at each of two", hosts, redis, (0, 0), (1, 1))
                    await cost_of_moves("a player at each of two", hosts, redis, (0, 1))


# Notices

FOLLOWED, OTHERS = 100, 3_000
TOLD = 20_000
SCHEMES = {"one channel for all": 1, "16 channels": 16, "1,024 channels": 1024, "a channel for each game": 0}


def channel_in(scheme: int, otherwise: Callable[[Topic | None], str], topic: Topic | None) -> str:
    """Where notices of `topic` are told if games share so many channels; 0, or no game: as `otherwise`."""
    if scheme == 0 or not isinstance(topic, GameTopic):
        return otherwise(topic)
    return f"{CHANNEL}:{crc32(topic.game.encode()) % scheme}"


async def listen(url: str, scheme: int) -> None:
    """A node, as far as its bus goes. Says so when it listens, and runs until it is killed."""
    redis_bus.channel_of = partial(channel_in, scheme, redis_bus.channel_of)
    bus = RedisBus(url)
    for number in range(FOLLOWED):
        bus.follow(GameTopic(f"own{number:07}"))
    confirmed: list[object] = []

    def resync(missed: Missed) -> None:
        confirmed.extend([*missed.games, missed.rest][: len(missed.games) or 1])

    running = asyncio.create_task(bus.run(lambda notice: None, resync))
    while len(confirmed) < (FOLLOWED if scheme == 0 else 1):  # noqa: ASYNC110 - it happens in another process
        await asyncio.sleep(0.2)
    print("listens", flush=True)
    await running


async def cost_of_notices(what: str, scheme: int, redis: RedisServer) -> None:
    node = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.bench.nodes_bench", "listen", redis.url, str(scheme)),
        stdout=asyncio.subprocess.PIPE,
    )
    await node.stdout.readline()
    before, redis_before = cpu_s(node.pid), cpu_s(redis.process.pid)
    async with Redis.from_url(redis.url) as telling:
        for number in range(0, TOLD, 20):
            pipeline = telling.pipeline(transaction=False)
            for move in range(number, number + 20):
                game = f"not{move % OTHERS:07}"
                message = write_notices("elsewhere", (GameStored(game, move),))
                pipeline.publish(channel_in(scheme, channel_of, GameTopic(game)), message)
            await pipeline.execute()
            await asyncio.sleep(0.005)
    await asyncio.sleep(1)
    spent, by_redis = cpu_s(node.pid) - before, cpu_s(redis.process.pid) - redis_before
    print(
        f"  {what:26} {spent / TOLD * 1e3:6.3f} ms of the node a move, {by_redis / TOLD * 1e3:6.3f} ms of Redis",
        flush=True,
    )
    node.kill()
    await node.wait()


async def notices() -> None:
    """What a node pays for a move of a game that it does not follow, by how notices are spread over channels.

    A node follows a hundred games and listens; elsewhere moves of other games are told. Beside a channel for each game,
    as the bus has it: one for all, as it was once, and games hashed over 16 or 1,024 of them. In CPU of the listening
    process.
    """
    redis = RedisServer()
    await redis.start()
    try:
        for what, scheme in SCHEMES.items():
            await cost_of_notices(what, scheme, redis)
    finally:
        await redis.kill()


# Projections

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
    seen = [PresenceChanged(f"{number:010}", Color.WHITE, PresenceState.HERE) for number in range(SEATS_AT_ONCE)]
    message, boards = write_notices("a", seen), BoardsElsewhere()

    def hear() -> None:
        for one in read_notices(message):
            assert isinstance(one, PresenceChanged)
            boards.hear_presence(one.game, one.color, one.state, 0)

    return cpu_ms(hear, SEATS_AT_ONCE)


def person_ms() -> float:
    """What it costs to hear that one person is on the site."""
    people = tuple(f"{number:010}" for number in range(5_000))
    message = write_notices("a", (PeopleOnNode("a", people),))
    return cpu_ms(
        lambda: [frozenset(one.people) for one in read_notices(message) if isinstance(one, PeopleOnNode)] and None,
        5_000,
    )


def project(nodes: int, players: int, seat: float, person: float) -> Cluster:
    rng, games = random.Random(1), players // 2
    at, without_one = homes(ring(range(nodes)), games), homes(ring(range(max(1, nodes - 1))), games)
    moves: Counter[int] = Counter()
    for home in at:
        moves[home] += rng.expovariate(1.0) / BETWEEN_MOVES_S
    # Everybody comes and goes about twice in a game, and is told again every ten seconds.
    seats_a_s = players * (1 / REPEAT_S + 4 / GAME_S) if nodes > 1 else 0.0
    gathered = min(nodes / GATHER_S, seats_a_s) + seats_a_s / SEATS_AT_ONCE if nodes > 1 else 0.0
    hearing = (seats_a_s * seat + players / REPEAT_S * person + gathered * MESSAGE_MS) / 1e3 if nodes > 1 else 0.0
    busy = sorted(moves[node] * MOVE_MS / 1e3 + hearing for node in range(nodes))
    moved = sum(one != other for one, other in zip(at, without_one, strict=True)) / games
    # Where games have a home, what Redis carries is what everybody hears, and those who come to a game.
    redis = gathered * (nodes + 1) + games / GAME_S * 4
    return Cluster(busy[-1], busy[nodes // 2], hearing, redis, moved)


async def projected(*sizes: int) -> None:
    """Many nodes, projected: how busy the busiest is, what Redis carries, how many games move when a node goes.

    Games are spread as the proxy spreads them, by a consistent hash, and each is played at a pace of its own. What a
    move and a message cost is what `moves` and `notices` measured; what it costs to hear where players are is measured
    here. Nothing else is: no network, no MongoDB.
    """
    seat, person = seat_ms(), person_ms()
    print(f"  to hear where a player is costs {seat * 1e3:.2f} us, that somebody is on the site {person * 1e3:.2f} us")
    asked = [sizes] if sizes else [(2, 14_000), (17, 100_000), (170, 1_000_000)]
    for nodes, players in asked:
        found = project(nodes, players, seat, person)
        print(
            f"  {nodes:4} nodes, {players:9,} players: {players / 2 / BETWEEN_MOVES_S:8,.0f} moves/s; the busiest node"
            f" {found.busiest:4.0%}, the one in the middle {found.middle:4.0%}, of it hearing of others"
            f" {found.hearing:5.1%}; Redis {found.redis:8,.0f} messages/s, {found.redis * REDIS_MS / 1e3:4.0%};"
            f" {found.moved:.1%} of the games move when a node goes",
            flush=True,
        )


async def main() -> None:
    given = sys.argv[1:]
    if given[:1] == ["listen"]:
        await listen(given[1], int(given[2]))
        return
    numbers = [int(one) for one in given if one.isdigit()]
    for name in [one for one in given if not one.isdigit()] or PARTS:
        print(f"{PARTS[name].__doc__}".splitlines()[0], flush=True)
        await PARTS[name](*(numbers if name == "projected" else ()))


PARTS: dict[str, Callable[..., Awaitable[None]]] = {"moves": moves, "notices": notices, "projected": projected}


if __name__ == "__main__":
    uvloop.run(main())
