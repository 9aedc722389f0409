"""A crowd that follows a link to one game: each opens its page, then its files and its socket. Knows Fairyhouse only.

    python -m tests.support.live.visitors PORT GAME PEOPLE SECONDS

A process of its own, and a nice one: the crowd is elsewhere, and must not hold up whoever times moves meanwhile. Prints
what came of it as one line of JSON once all are there, and watches on until its standard input ends.
"""

import asyncio
import json
import os
import re
import sys
from collections import deque
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from time import perf_counter

import aiohttp
import uvloop

from tests.support.live.guests import Guest
from tests.support.live.processes import SITE
from tests.support.live.wire import Socket

PING = b'{"t":"ping"}'
PING_EVERY_S = 2.5
"""As pages do."""
PATIENCE_S = 30


@dataclass(slots=True)
class Came:
    """Seconds from the click until the page was there, its files, and what the socket tells first; who was refused."""

    pages: list[float] = field(default_factory=list)
    files: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


class Visitors:
    """All who open the page of one game on a server of this machine. `files`: what the page loads."""

    def __init__(self, http: aiohttp.ClientSession, port: int, game: str, files: list[str]) -> None:
        self.came = Came()
        self._http = http
        self._port = port
        self._game = game
        self._files = files
        self._next_pings: deque[tuple[float, Socket]] = deque()

    async def open(self, number: int) -> None:
        """Somebody at an address of their own, who has never been here."""
        guest = Guest(self._http, self._port)
        guest.move_to(f"11.{number >> 16}.{number >> 8 & 255}.{number & 255}")
        clicked, told = perf_counter(), asyncio.get_running_loop().create_future()

        def hear(_: Socket, text: bytes) -> None:
            if not told.done() and text.startswith(b'{"t":"snapshot"'):
                told.set_result(None)

        try:
            await self._read(guest, f"/{self._game}")
            self.came.pages.append(perf_counter() - clicked)
            await asyncio.gather(*(self._read(guest, file) for file in self._files))
            self.came.files.append(perf_counter() - clicked)
            socket = await guest.follow(self._game, hear)
            async with asyncio.timeout(PATIENCE_S):
                await told
            self.came.told.append(perf_counter() - clicked)
            self._next_pings.append((perf_counter() + PING_EVERY_S, socket))
        except (OSError, aiohttp.ClientError) as error:
            self.came.refused.append(repr(error).splitlines()[0][:80])

    async def _read(self, guest: Guest, path: str) -> None:
        status = await guest.open_page(self._http, path)
        if status != 200:
            raise ConnectionError(f"{path}: {status}")

    async def keep_pinging(self) -> None:
        while True:
            while self._next_pings and self._next_pings[0][0] <= perf_counter():
                due, socket = self._next_pings.popleft()
                socket.send(PING)
                self._next_pings.append((due + PING_EVERY_S, socket))
            await asyncio.sleep(0.01)


async def crowd(port: int, game: str, people: int, seconds: float) -> None:
    """Lets `people` come within `seconds`, evenly, and stay."""
    connector = aiohttp.TCPConnector(limit=0, force_close=True)
    headers = {"Host": SITE.removeprefix("https://"), "Accept-Encoding": "gzip, br"}
    loop = asyncio.get_running_loop()
    async with aiohttp.ClientSession(
        cookie_jar=aiohttp.DummyCookieJar(), connector=connector, headers=headers, auto_decompress=False
    ) as http:
        url = f"http://127.0.0.1:{port}/{game}"
        async with http.get(url, headers={"Accept-Encoding": "identity"}) as page:
            files = sorted(set(re.findall(r'(?:href|src)="(/static/[^"]+)"', await page.text())))
        visitors, coming, began = Visitors(http, port, game, files), [], loop.time()
        pinging = asyncio.create_task(visitors.keep_pinging())
        while len(coming) < people:
            while len(coming) < min(people, (loop.time() - began) / seconds * people):
                coming.append(asyncio.create_task(visitors.open(len(coming))))
            await asyncio.sleep(0.005)
        await asyncio.gather(*coming)
        print(json.dumps(asdict(visitors.came)), flush=True)
        await asyncio.to_thread(sys.stdin.read)
        pinging.cancel()
        with suppress(asyncio.CancelledError):
            await pinging


def main() -> None:
    os.nice(10)
    port, game, people, seconds = sys.argv[1:]
    uvloop.run(crowd(int(port), game, int(people), float(seconds)))


if __name__ == "__main__":
    main()
