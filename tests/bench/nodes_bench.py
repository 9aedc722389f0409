"""What a move costs each of several nodes: games at home at one or at both, players apart, and one node alone.

    python -m tests.bench.nodes_bench

The store is SecantusDB, which speaks MongoDB's protocol: what is measured is the nodes and
Redis, not MongoDB. All variants, every limit in force, everything on one machine. Needs Linux and redis-server.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import cycle, islice
from pathlib import Path

import uvloop

from tests.support.live.play import play_paced, seat_at, settle
from tests.support.live.processes import SITE, cpu_s
from tests.support.live.recorded_games import scores
from tests.support.live.tables import Figures, Table, centile
from tests.support.redis_server import RedisServer
from tests.support.storage.engines import MongoPlace
from tests.support.storage.secantus import secantus_in_memory
from tests.support.web.host import Host

TABLES = 50
MOVES_PER_S = 100
SECONDS = 20.0
"""So many tables and moves at each place: a node that has more to do at once pays less for a move."""


@asynccontextmanager
async def services() -> AsyncIterator[tuple[MongoPlace, RedisServer]]:
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


async def measure(what: str, hosts: Sequence[Host], redis: RedisServer, *seats: tuple[int, int]) -> None:
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


async def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        async with services() as (place, redis):
            for again in range(2):
                async with nodes(Path(name) / f"alone{again}", place, None, 1) as hosts:
                    await measure("one node alone", hosts, redis, (0, 0))
                async with nodes(Path(name) / f"both{again}", place, redis.url, 2) as hosts:
                    await measure("all games at one of two", hosts, redis, (0, 0))
                    await measure("as many games at each of two", hosts, redis, (0, 0), (1, 1))
                    await measure("a player at each of two", hosts, redis, (0, 1))


if __name__ == "__main__":
    uvloop.run(main())
