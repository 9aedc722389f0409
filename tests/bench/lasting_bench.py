"""Half an hour of play at half of what the server can do: does its memory stay as it is?

    python -m tests.bench.lasting_bench [minutes]

A hundred pairs of guests play four games at a time; a game that is over is followed by another. All variants, durable
SQLite, every limit in force. Without an argument it is a short look of three minutes. Needs Linux.
"""

import asyncio
import sys
import tempfile
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from time import perf_counter

import aiohttp
import uvloop

from tests.bench.live.games import Score, scores
from tests.bench.live.people import GAMES_EACH, Guest
from tests.bench.live.play import GUESTS_PER_S
from tests.bench.live.processes import Fairyhouse
from tests.bench.live.tables import Figures, Table, centile

PAIRS = 100
MOVES_PER_S = 1_000
MINUTES = 3
RESIGN = b'{"t":"resign","id":9999}'
BREATH_S = 0.005


class Pair:
    """Two guests and the games that they have in hand."""

    def __init__(self, white: Guest, black: Guest, figures: Figures) -> None:
        self._guests = (white, black)
        self._figures = figures
        self.tables: list[Table] = []
        self.games = 0

    async def begin(self, score: Score) -> None:
        white, black = self._guests
        table = Table(score.moves, self._figures)
        game = await white.challenge(score.start)
        await black.join(game)
        table.game = game["id"]
        table.lines = [await guest.follow(game["id"], table.hear) for guest in self._guests]
        table.send_move()
        self.tables.append(table)
        self.games += 1

    async def keep_playing(self, fresh: Iterator[Score]) -> None:
        """Follows every game that is over by another, until it is cancelled."""
        while True:
            for table in [one for one in self.tables if one.over and not one.waiting]:
                self.tables.remove(table)
                table.lines[0].send(RESIGN)
                await self.begin(next(fresh))
                for line in table.lines:
                    line.close()
            await asyncio.sleep(0.1)


async def play(pairs: list[Pair], until: float) -> None:
    """Open loop: so many moves a second over all tables, whatever the server does with them."""
    began, sent = perf_counter(), 0
    while (now := perf_counter()) < until:
        tables = [table for pair in pairs for table in pair.tables]
        while sent < (now - began) * MOVES_PER_S:
            table = tables[sent % len(tables)]
            sent += 1
            if not table.waiting:
                table.send_move()
        await asyncio.sleep(BREATH_S)


async def main() -> None:
    minutes = int(sys.argv[1]) if len(sys.argv) > 1 else MINUTES
    fresh = cycle(scores())
    with tempfile.TemporaryDirectory() as folder:
        async with (
            Fairyhouse(Path(folder)) as server,
            aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http,
        ):
            figures = Figures()
            pairs = [Pair(Guest(http, server.port), Guest(http, server.port), figures) for _ in range(PAIRS)]
            for pair in pairs:
                await asyncio.sleep(2 / GUESTS_PER_S)
                for _ in range(GAMES_EACH):
                    await pair.begin(next(fresh))
            following = [asyncio.create_task(pair.keep_playing(fresh)) for pair in pairs]
            for minute in range(1, minutes + 1):
                await a_minute(minute, server, pairs, figures)
            for task in following:
                task.cancel()
            await asyncio.gather(*following, return_exceptions=True)


async def a_minute(minute: int, server: Fairyhouse, pairs: list[Pair], figures: Figures) -> None:
    for values in (figures.seen, figures.acknowledged, figures.move_bytes, figures.legal_bytes):
        values.clear()
    cpu_s = server.cpu_s
    await play(pairs, perf_counter() + 60)
    print(
        f"  minute {minute:3}: {server.rss_mb:6.1f} MB  {len(figures.seen) / 60:5.0f} moves/s  "
        f"seen p50 {centile(figures.seen, 0.5) * 1e3:6.2f} p99 {centile(figures.seen, 0.99) * 1e3:6.1f} ms  "
        f"CPU {(server.cpu_s - cpu_s) / 60:.2f}  {sum(pair.games for pair in pairs)} games so far"
        + (f"  REFUSED {len(figures.refused)}: {figures.refused[0].decode()}" if figures.refused else ""),
        flush=True,
    )


if __name__ == "__main__":
    uvloop.run(main())
