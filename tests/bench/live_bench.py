"""Moves a second, time until they are seen, CPU and memory of the whole server, beside a bare relay in the same run.

    python -m tests.bench.live_bench [start] [quiet] [paced] [flood] [memory] [watchers]
    python -m tests.bench.live_bench crowd [PEOPLE] [SECONDS]
    python -m tests.bench.live_bench lasting [MINUTES] [MOVES A SECOND]

Without arguments all of them. All variants are played at once from recorded games; the store is SQLite, fully durable;
every limit is in force. The load client shares the machine with the server. Needs Linux, and as many open files as
people come: it raises its own limit to the hard one, and the server inherits that.
"""

import asyncio
import json
import resource
import sys
import tempfile
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter, sleep

import aiohttp
import uvloop

from server.storage.sqlite.schema import open_file
from tests.support.free_port import free_port
from tests.support.live.guests import GAMES_EACH, Guest
from tests.support.live.play import GUESTS_PER_S, begin, play_at_once, play_paced, seat_all
from tests.support.live.processes import Fairyhouse, Relay, Server
from tests.support.live.recorded_games import Score, scores
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


WITH_RELAY: dict[str, Callable[[Server], Awaitable[None]]] = {
    "start": start,
    "quiet": quiet,
    "paced": paced,
    "flood": flood,
    "memory": memory,
    "watchers": watchers,
}


# A crowd

WATCHING_S = 15
BESIDE_CROWD = 100
BESIDE_CROWD_PER_S = 200
SHOWN_PER_S = 0.5
"""Moves in the game that the crowd watches."""
LINE_BYTES = 2**24


async def crowd(people: int = 5_000, seconds: int = 30) -> None:
    """A streamer's link: thousands open a game's page within half a minute. What do the moves of other games wait?

    The same games go on before the crowd, which is the control, while it comes, and while it watches. Everybody in it
    is a stranger at an address of their own, who asks for the page and its files, each by a connection of its own as
    through most proxies, and then opens its socket.
    """
    with tempfile.TemporaryDirectory() as folder:
        async with Fairyhouse(Path(folder)) as server:
            shown, *tables = await seat_all(server, islice(cycle(scores(190)), 1 + BESIDE_CROWD), Figures())
            await play_beside_crowd("without a crowd", server, tables, shown, seconds)
            before = server.rss_mb
            visitors = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "tests.support.live.visitors"),
                *(str(server.port), shown.game, str(people), str(float(seconds))),
                stdin=PIPE, stdout=PIPE, limit=LINE_BYTES,
            )  # fmt: skip
            assert visitors.stdin is not None
            assert visitors.stdout is not None
            await play_beside_crowd("while it comes", server, tables, shown, seconds)
            report_crowd(json.loads(await visitors.stdout.readline()), people)
            print(f"  {(server.rss_mb - before) * 1024 / people:.1f} KB for each of them")
            await play_beside_crowd("while it watches", server, tables, shown, WATCHING_S)
            visitors.stdin.close()
            await visitors.wait()


async def play_beside_crowd(what: str, server: Fairyhouse, tables: list[Table], shown: Table, seconds: float) -> None:
    """Lets all games go on, and prints how long their moves took to be seen by the opponent."""
    figures = shown.figures
    figures.seen.clear()
    began, cpu_s = perf_counter(), server.cpu_s
    await asyncio.gather(play_paced(tables, BESIDE_CROWD_PER_S, seconds), play_paced([shown], SHOWN_PER_S, seconds))
    took, seen = perf_counter() - began, figures.seen
    print(
        f"  {what:18} {len(seen) / took:4.0f} moves/s  seen p50 {centile(seen, 0.5) * 1e3:5.1f}  "
        f"p99 {centile(seen, 0.99) * 1e3:6.1f}  worst {max(seen) * 1e3:6.1f} ms  "
        f"server {(server.cpu_s - cpu_s) / took * 100:3.0f} % of a core"
        + (f"  REFUSED {figures.refused[0].decode()}" if figures.refused else ""),
        flush=True,
    )


def report_crowd(came: dict[str, list], people: int) -> None:
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


# Half an hour

PAIRS = 100
FORGOTTEN_S = 45
"""As long after its last socket has gone, a game that is over should have left the memory, with its timers."""
RESIGN = b'{"t":"resign","id":9999}'


async def lasting(minutes: int = 3, moves_per_s: int = 1_000) -> None:
    """Play at half of what the server can do: does its memory stay as it is, and does no timer stay on?

    A hundred pairs of guests play four games at a time; a game that is over is followed by another. In the end
    everybody resigns and leaves.
    """
    with tempfile.TemporaryDirectory() as folder:
        async with (
            Fairyhouse(Path(folder), METRICS_PORT=str(free_port())) as server,
            aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http,
        ):
            figures = Figures()
            hall, playing = Hall(figures), []
            print(f"  before: {server.rss_mb:6.1f} MB; {await timers(http, server)}", flush=True)
            for _ in range(PAIRS):
                await asyncio.sleep(2 / GUESTS_PER_S)
                playing.append(await hall.seat(Guest(http, server.port), Guest(http, server.port)))
            for minute in range(1, minutes + 1):
                await a_minute(minute, server, hall, figures, moves_per_s, await timers(http, server))
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            hall.leave()
            await asyncio.sleep(FORGOTTEN_S)
            print(f"  after: {server.rss_mb:6.1f} MB; {await timers(http, server)}")


class Hall:
    """The tables at which everybody plays; `games`: as many have been begun."""

    def __init__(self, figures: Figures) -> None:
        self.tables: list[Table] = []
        self.games = 0
        self._figures = figures
        self._fresh: Iterator[Score] = cycle(scores())

    async def seat(self, white: Guest, black: Guest) -> asyncio.Task[None]:
        """Begins the games of one pair. The task follows each that is over by another, until it is cancelled."""
        places = range(len(self.tables), len(self.tables) + GAMES_EACH)
        self.tables += [await self._begin(white, black) for _ in places]
        return asyncio.create_task(self._keep_playing(white, black, places))

    def leave(self) -> None:
        """Ends all games."""
        for table in self.tables:
            give_up(table)

    async def _begin(self, white: Guest, black: Guest) -> Table:
        self.games += 1
        return await begin(white, black, next(self._fresh), self._figures)

    async def _keep_playing(self, white: Guest, black: Guest, places: range) -> None:
        while True:
            for place in places:
                table = self.tables[place]
                if table.over and not table.waiting:
                    self.tables[place] = await self._begin(white, black)
                    give_up(table)
            await asyncio.sleep(0.1)


def give_up(table: Table) -> None:
    """White resigns, and both leave without listening to the answer."""
    table.sockets[0].send(RESIGN)
    for socket in table.sockets:
        socket.hear = lambda *_: None
        socket.close()


async def timers(http: aiohttp.ClientSession, server: Fairyhouse) -> str:
    """How many timers are set, and how many games are live and over in the server's memory."""
    async with http.get(f"http://127.0.0.1:{server.settings['METRICS_PORT']}/metrics") as answer:
        told = dict(line.rsplit(" ", 1) for line in (await answer.text()).splitlines() if not line.startswith("#"))
    live, over = (float(told.get(f'fairyhouse_games{{state="{state}"}}', 0)) for state in ("live", "over"))
    return f"{float(told['fairyhouse_timers']):.0f} timers of {live:.0f} games, beside {over:.0f} that are over"


async def a_minute(
    minute: int, server: Fairyhouse, hall: Hall, figures: Figures, moves_per_s: int, before: str
) -> None:
    for values in (figures.seen, figures.acknowledged, figures.move_bytes, figures.legal_bytes):
        values.clear()
    cpu_s = server.cpu_s
    await play_paced(hall.tables, moves_per_s, 60)
    print(
        f"  minute {minute:3}: {server.rss_mb:6.1f} MB  {len(figures.seen) / 60:5.0f} moves/s  "
        f"seen p50 {centile(figures.seen, 0.5) * 1e3:6.2f} p99 {centile(figures.seen, 0.99) * 1e3:6.1f} ms  "
        f"CPU {(server.cpu_s - cpu_s) / 60:.2f}  {hall.games} games so far; at its start {before}"
        + (f"  REFUSED {len(figures.refused)}: {figures.refused[0].decode()}" if figures.refused else ""),
        flush=True,
    )


ALONE: dict[str, Callable[..., Awaitable[None]]] = {"crowd": crowd, "lasting": lasting}


async def main() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    numbers = [int(one) for one in sys.argv[1:] if one.isdigit()]
    for name in [one for one in sys.argv[1:] if not one.isdigit()] or [*WITH_RELAY, *ALONE]:
        if name in ALONE:
            print(f"{ALONE[name].__doc__}".splitlines()[0], flush=True)
            await ALONE[name](*numbers)
            continue
        print(WITH_RELAY[name].__doc__)
        for kind in SERVERS:
            print(f" {kind.__name__}")
            async with running(kind) as server:
                await WITH_RELAY[name](server)


if __name__ == "__main__":
    uvloop.run(main())
