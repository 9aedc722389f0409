"""Half an hour of play at half of what the server can do: does its memory stay as it is, and does no timer stay on?

    python -m tests.bench.lasting_bench [minutes] [moves a second]

A hundred pairs of guests play four games at a time; a game that is over is followed by another. In the end everybody
resigns and leaves. All variants, durable SQLite, every limit in force. Without arguments it is a short look of three
minutes. Needs Linux.
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import aiohttp
import uvloop

from tests.support.free_port import free_port
from tests.support.live.guests import GAMES_EACH, Guest
from tests.support.live.play import GUESTS_PER_S, begin, play_paced
from tests.support.live.processes import Fairyhouse
from tests.support.live.recorded_games import Score, scores
from tests.support.live.tables import Figures, Table, centile

PAIRS = 100
MOVES_PER_S = 1_000
MINUTES = 3
FORGOTTEN_S = 45
"""As long after its last socket has gone, a game that is over should have left the memory, with its timers."""
RESIGN = b'{"t":"resign","id":9999}'


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


async def main() -> None:
    given = [int(number) for number in sys.argv[1:]]
    minutes, moves_per_s = *given, *(MINUTES, MOVES_PER_S)[len(given) :]
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


if __name__ == "__main__":
    uvloop.run(main())
