"""What a move costs with several nodes: both players at different nodes, both at one, and one node alone.

    python -m tests.bench.nodes_bench

The store is the tests' stand-in for MongoDB, which speaks its protocol over SQLite: what is measured is the nodes and
Redis, not MongoDB. All variants, every limit in force, everything on one machine. Needs Linux and redis-server.
"""

import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from itertools import cycle, islice
from pathlib import Path

import uvloop

from tests.support.live.play import play_paced, seat_at, settle
from tests.support.live.processes import SITE, cpu_s
from tests.support.live.recorded_games import scores
from tests.support.live.tables import Figures, centile
from tests.support.redis_server import RedisServer
from tests.support.storage.engines import MongoPlace, start_nx
from tests.support.web.host import Host

TABLES = 100
MOVES_PER_S = 400
SECONDS = 20.0


@asynccontextmanager
async def services(folder: Path) -> AsyncIterator[tuple[MongoPlace, RedisServer]]:
    redis = RedisServer()
    await redis.start()
    store, address = start_nx(folder)
    try:
        yield MongoPlace(address, real=False), redis
    finally:
        store.kill()
        store.wait()
        await redis.kill()


@asynccontextmanager
async def nodes(folder: Path, place: MongoPlace, redis: str | None, number: int) -> AsyncIterator[Sequence[Host]]:
    shared = {"PUBLIC_URL": SITE, "MONGODB_URI": place.uri, "MONGODB_STANDALONE": "true"}
    hosts = [Host(folder / f"node{each}") for each in range(number)]
    try:
        for host in hosts:
            await host.start(**shared, **({"REDIS_URL": redis} if redis else {}))
        yield hosts
    finally:
        for host in hosts:
            await host.kill()


async def measure(what: str, hosts: Sequence[Host], redis: RedisServer, white: int, black: int) -> None:
    figures = Figures()
    chosen = islice(cycle(scores(int(MOVES_PER_S * SECONDS / TABLES) + 10)), TABLES)
    tables = await seat_at(hosts[white].port, hosts[black].port, list(chosen), figures)
    await settle(tables)
    figures.seen.clear()
    figures.acknowledged.clear()
    processes = [*(host.process.pid for host in hosts), redis.process.pid]
    before = [cpu_s(pid) for pid in processes]
    await play_paced(tables, MOVES_PER_S, SECONDS)
    spent = [(cpu_s(pid) - had) / len(figures.seen) * 1000 for pid, had in zip(processes, before, strict=True)]
    ok, seen = figures.acknowledged, figures.seen
    print(
        f"  {what:26} {len(seen) / SECONDS:4.0f} moves/s  ok p50 {centile(ok, 0.5) * 1e3:5.1f}  "
        f"seen p50 {centile(seen, 0.5) * 1e3:5.1f} p99 {centile(seen, 0.99) * 1e3:6.1f} ms  "
        f"CPU s/1000 moves: nodes {' '.join(f'{each:.2f}' for each in spent[:-1])}  Redis {spent[-1]:.2f}"
        + (f"  REFUSED {len(figures.refused)}" if figures.refused else ""),
        flush=True,
    )
    for table in tables:
        for socket in table.sockets:
            socket.close()


async def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        async with services(Path(name)) as (place, redis):
            async with nodes(Path(name) / "alone", place, None, 1) as hosts:
                await measure("one node alone", hosts, redis, 0, 0)
            async with nodes(Path(name) / "both", place, redis.url, 2) as hosts:
                await measure("both players at one of two", hosts, redis, 0, 0)
                await measure("a player at each of two", hosts, redis, 0, 1)


if __name__ == "__main__":
    uvloop.run(main())
