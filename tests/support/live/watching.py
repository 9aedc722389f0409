"""Many who watch one game: how long after a move was sent the last of them has it. Knows both servers."""

import asyncio
from time import perf_counter

import aiohttp

from tests.support.live.guests import Guest
from tests.support.live.processes import Relay, Server
from tests.support.live.tables import Table
from tests.support.live.wire import Socket, open_socket

AT_ONCE = 50
"""Sockets opened at the same time."""


class Crowd:
    """The watchers of one table. `times`: seconds from sending a move until the last watcher had it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.times: list[float] = []
        self.sockets: list[Socket] = []
        self._missing = 0
        self._sent_at = 0.0
        self._all_have_it = asyncio.Event()

    async def gather(self, server: Server, game: str, size: int) -> None:
        """Lets `size` watchers come, each from an address of their own."""
        async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
            while len(self.sockets) < size:
                self.sockets += await asyncio.gather(*(self._come(http, server, game) for _ in range(AT_ONCE)))

    async def _come(self, http: aiohttp.ClientSession, server: Server, game: str) -> Socket:
        if isinstance(server, Relay):
            return await open_socket(server.port, f"/{game}", {}, self._hear)
        return await Guest(http, server.port).follow(game, self._hear)

    def _hear(self, socket: Socket, text: bytes) -> None:
        if text.startswith((b'{"t":"moved"', b'{"t":"move"')):
            self._missing -= 1
            if self._missing == 0:
                self.times.append(perf_counter() - self._sent_at)
                self._all_have_it.set()

    async def see(self, moves: int, pause_s: float) -> None:
        """Lets that many moves be played, with pauses."""
        for _ in range(moves):
            self._all_have_it.clear()
            self._missing = len(self.sockets)
            self._sent_at = perf_counter()
            self.table.send_move()
            async with asyncio.timeout(30):
                await self._all_have_it.wait()
            await asyncio.sleep(pause_s)
