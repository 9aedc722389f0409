"""A streamer's link: thousands open a game's page within half a minute, while others play. What do their moves wait?

    python -m tests.bench.crowd_bench [PEOPLE] [SECONDS]

The same games go on before the crowd, which is the control, while it comes, and while it watches. Everybody in it is a
stranger at an address of their own, who asks for the page and its files, each by a connection of its own as through
most proxies, and then opens its socket. The store is SQLite, fully durable; every limit is in force. Players, crowd and
server share the machine. Needs Linux, and as many open files as there are people: it raises its own limit to the hard
one, and the server inherits that.
"""

import asyncio
import json
import resource
import sys
import tempfile
from asyncio.subprocess import PIPE
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter

import uvloop

from tests.support.live.play import play_paced, seat_all
from tests.support.live.processes import Fairyhouse
from tests.support.live.recorded_games import scores
from tests.support.live.tables import Figures, Table, centile

PEOPLE = 5_000
SECONDS = 30.0
WATCHING_S = 15.0
TABLES = 100
MOVES_PER_S = 200
SHOWN_PER_S = 0.5
"""Moves in the game that the crowd watches."""
LINE_BYTES = 2**24


async def played(what: str, server: Fairyhouse, tables: list[Table], shown: Table, seconds: float) -> None:
    """Lets all games go on, and prints how long their moves took to be seen by the opponent."""
    figures = shown.figures
    figures.seen.clear()
    began, cpu_s = perf_counter(), server.cpu_s
    await asyncio.gather(play_paced(tables, MOVES_PER_S, seconds), play_paced([shown], SHOWN_PER_S, seconds))
    took, seen = perf_counter() - began, figures.seen
    print(
        f"  {what:18} {len(seen) / took:4.0f} moves/s  seen p50 {centile(seen, 0.5) * 1e3:5.1f}  "
        f"p99 {centile(seen, 0.99) * 1e3:6.1f}  worst {max(seen) * 1e3:6.1f} ms  "
        f"server {(server.cpu_s - cpu_s) / took * 100:3.0f} % of a core"
        + (f"  REFUSED {figures.refused[0].decode()}" if figures.refused else ""),
        flush=True,
    )


def report(came: dict[str, list], people: int) -> None:
    for what, times in (
        ("the page", came["pages"]),
        ("and its files", came["files"]),
        ("and its socket", came["told"]),
    ):
        print(
            f"  {what:18} {len(times):5} of {people}  p50 {centile(times, 0.5) * 1e3:6.1f}  "
            f"p99 {centile(times, 0.99) * 1e3:6.1f}  worst {max(times) * 1e3:6.1f} ms"
        )
    if came["refused"]:
        print(f"  REFUSED {len(came['refused'])}: {came['refused'][0]}")


def asked(arguments: list[str]) -> tuple[int, float]:
    """How many come, and in how many seconds."""
    people, seconds = [*arguments, *(str(PEOPLE), str(SECONDS))[len(arguments) :]]
    return int(people), float(seconds)


async def main() -> None:
    people, seconds = asked(sys.argv[1:])
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as folder:
        async with Fairyhouse(Path(folder)) as server:
            shown, *tables = await seat_all(server, islice(cycle(scores(190)), 1 + TABLES), Figures())
            await played("without a crowd", server, tables, shown, seconds)
            before = server.rss_mb
            crowd = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.support.live.visitors"),
                *(str(server.port), shown.game, str(people), str(seconds)),
                stdin=PIPE, stdout=PIPE, limit=LINE_BYTES,
            )  # fmt: skip
            assert crowd.stdin is not None
            assert crowd.stdout is not None
            await played("while it comes", server, tables, shown, seconds)
            report(json.loads(await crowd.stdout.readline()), people)
            print(f"  {(server.rss_mb - before) * 1024 / people:.1f} KB for each of them")
            await played("while it watches", server, tables, shown, WATCHING_S)
            crowd.stdin.close()
            await crowd.wait()


if __name__ == "__main__":
    uvloop.run(main())
