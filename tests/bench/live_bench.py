"""Moves a second, time until they are seen, CPU and memory of the whole server, beside a bare relay in the same run.

    python -m tests.bench.live_bench [start] [quiet] [paced] [flood] [memory] [watchers]

All variants are played at once from recorded games; the store is SQLite, fully durable; every limit is in force. The
load client shares the machine with the server. Needs Linux.
"""

import asyncio
import resource
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter, sleep

import uvloop

from server.storage.sqlite.schema import open_file
from tests.support.live.play import play_at_once, play_paced, seat_all
from tests.support.live.processes import Fairyhouse, Relay, Server
from tests.support.live.recorded_games import scores
from tests.support.live.tables import Figures, Table, centile
from tests.support.live.watching import Crowd

SERVERS = (Relay, Fairyhouse)
TABLES = 400
SECONDS = 10.0
STARTS = 7
SETTLED_S = 1.0
QUIET_PER_S, QUIET_S = 8, 12
CROWDS = (1000, 5000, 10_000)
PACES = (500, 1000, 2000, 3000)
"""Together fewer moves than the games have."""


@asynccontextmanager
async def running(kind: type[Server]) -> AsyncIterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        async with kind(Path(folder)) as server:
            yield server


def report(what: str, figures: Figures, seconds: float, cpu_s: float) -> None:
    seen, acknowledged = figures.seen, figures.acknowledged or figures.seen
    print(
        f"  {what:22} {len(seen) / seconds:7.0f} moves/s  seen p50 {centile(seen, 0.5) * 1e3:7.2f} "
        f"p99 {centile(seen, 0.99) * 1e3:7.1f} ms  ok p50 {centile(acknowledged, 0.5) * 1e3:7.2f} ms  "
        f"CPU {cpu_s / len(seen) * 1000:6.2f} s/1000 moves"
        + (f"  REFUSED {len(figures.refused)}" if figures.refused else "")
    )
    if figures.refused:
        print("   ", figures.refused[0].decode())


async def measured(what: str, server: Server, tables: list[Table], figures: Figures, playing: Awaitable[None]) -> None:
    """Runs `playing` and prints what it gave."""
    for values in (figures.seen, figures.acknowledged, figures.move_bytes, figures.legal_bytes, figures.refused):
        values.clear()
    began, cpu_s = perf_counter(), server.cpu_s
    await playing
    report(what, figures, perf_counter() - began, server.cpu_s - cpu_s)


async def start(server: Server) -> None:
    """Until the first page, and what the server holds then: the best of some starts, as all else only adds to that."""
    starts = [await started(server)]
    for _ in range(STARTS - 1):
        async with running(type(server)) as another:
            starts.append(await started(another))
    ready_s, used_s, rss_mb = (min(values) for values in zip(*starts, strict=True))
    print(f"  first page {ready_s:.2f} s after the start, with {used_s:.2f} s of CPU; {rss_mb:.0f} MB then")


async def started(server: Server) -> tuple[float, float, float]:
    """Seconds until the first page, of them on a core, and MB once what was begun beside the page is done."""
    used_s = server.cpu_s
    await asyncio.sleep(SETTLED_S)
    return server.ready_s, used_s, server.rss_mb


async def quiet(server: Server) -> None:
    """One game, with pauses for thought, and what a bare commit takes that comes as seldom."""
    figures = Figures()
    tables = await seat_all(server, scores(100)[:1], figures)
    await measured("one game", server, tables, figures, play_paced(tables, QUIET_PER_S, QUIET_S))
    if isinstance(server, Relay):
        print(f"  a bare commit p50 {centile(await asyncio.to_thread(commits), 0.5) * 1e3:.2f} ms")


def commits() -> list[float]:
    """Seconds until half a kilobyte is durable in a SQLite file, at the pace of a quiet game."""
    took = []
    with tempfile.TemporaryDirectory() as folder, closing(open_file(Path(folder) / "bare.sqlite3", 0)) as connection:
        connection.execute("CREATE TABLE bare (half_a_kilobyte BLOB)")
        for _ in range(QUIET_PER_S * QUIET_S):
            sleep(1 / QUIET_PER_S)
            began = perf_counter()
            connection.execute("INSERT INTO bare VALUES (randomblob(512))")
            took.append(perf_counter() - began)
    return took


async def paced(server: Server) -> None:
    """Many games at a given pace."""
    figures = Figures()
    tables = await seat_all(server, islice(cycle(scores(190)), TABLES), figures)
    for pace in PACES:
        await measured(f"{TABLES} games, {pace}/s", server, tables, figures, play_paced(tables, pace, SECONDS))
    if any(figures.legal_bytes):
        bare = [all_of - legal for all_of, legal in zip(figures.move_bytes, figures.legal_bytes, strict=True)]
        print(f"  a move brings each player {sum(bare) / len(bare):.0f} bytes beside the legal moves")


async def flood(server: Server) -> None:
    """Many games, each move answered as soon as it is seen."""
    figures = Figures()
    tables = await seat_all(server, islice(cycle(scores(100)), TABLES), figures)
    await measured(f"{TABLES} games, at once", server, tables, figures, play_at_once(tables, SECONDS))


async def memory(server: Server) -> None:
    """What a game in play and its two sockets hold. The first ones also fill what is kept once for all of them."""
    figures = Figures()
    for which in ("first", "further"):
        before = server.rss_mb
        tables = await seat_all(server, islice(cycle(scores(60)), TABLES), figures)
        print(
            f"  {(server.rss_mb - before) * 1024 / TABLES:.1f} KB for each of {TABLES} {which} games with two sockets"
        )
        await play_paced(tables, 800, TABLES * 40 / 800)
        print(f"  {(server.rss_mb - before) * 1024 / TABLES:.1f} KB for each after 40 half-moves")


async def watchers(server: Server) -> None:
    """One game and very many who watch it."""
    tables = await seat_all(server, scores(100)[:1], Figures())
    crowd = Crowd(tables[0])
    for size in CROWDS:
        before, had = server.rss_mb, len(crowd.sockets)
        await crowd.gather(server, tables[0].game, size)
        each_kb = (server.rss_mb - before) * 1024 / (size - had)
        crowd.times.clear()
        await crowd.see(20, 0.5)
        print(
            f"  {size} watchers: the last one has a move after p50 {centile(crowd.times, 0.5) * 1e3:.1f} ms, "
            f"at most {max(crowd.times) * 1e3:.1f} ms; {each_kb:.1f} KB a watcher"
        )


PARTS: dict[str, Callable[[Server], Awaitable[None]]] = {
    "start": start,
    "quiet": quiet,
    "paced": paced,
    "flood": flood,
    "memory": memory,
    "watchers": watchers,
}


async def main() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    for name in sys.argv[1:] or PARTS:
        print(PARTS[name].__doc__)
        for kind in SERVERS:
            print(f" {kind.__name__}")
            async with running(kind) as server:
                await PARTS[name](server)


if __name__ == "__main__":
    uvloop.run(main())
