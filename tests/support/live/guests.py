"""Guests who make games for the load client and open their sockets. Knows HTTP, not what is played."""

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp

from tests.support.live.processes import SITE
from tests.support.live.wire import Hear, Socket, open_socket

GAMES_EACH = 4
"""Of ten sockets that one guest may have; two at each of their boards would be too many for the limit of new games."""
CLOCK = {"kind": "realtime", "initial": 10_800, "increment": 0}
_addresses = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Start:
    """What a game begins with."""

    variant: str
    fen: str
    chess960: bool


class Guest:
    """A guest at an address of their own, with the cookie that the site gave them."""

    def __init__(self, http: aiohttp.ClientSession, port: int) -> None:
        number = next(_addresses)
        self._http = http
        self._port = port
        self._headers = {"Origin": SITE, "X-Forwarded-For": f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"}

    def move_to(self, address: str) -> None:
        """From now on this guest sits at that network address."""
        self._headers["X-Forwarded-For"] = address

    async def open_page(self, http: aiohttp.ClientSession, path: str) -> int:
        """The status that a page of the site answers with."""
        async with http.get(f"http://127.0.0.1:{self._port}{path}", headers=self._headers) as answer:
            await answer.read()
            return answer.status

    @property
    def cookie(self) -> str:
        """What tells the site that it is this guest."""
        return self._headers["Cookie"]

    async def _post(self, path: str, body: object) -> dict[str, Any]:
        """Raises RuntimeError with the refusal."""
        url = f"http://127.0.0.1:{self._port}{path}"
        async with self._http.post(url, json=body, headers=self._headers) as answer:
            if answer.status >= 300:
                raise RuntimeError(f"{path}: {answer.status} {await answer.text()}")
            for morsel in answer.cookies.values():
                self._headers["Cookie"] = f"{morsel.key}={morsel.value}"
            return dict(await answer.json())

    async def challenge(self, start: Start, clock: Mapping[str, object] = CLOCK) -> dict[str, str]:
        """A new game with White for oneself."""
        asked = {"variant": start.variant, "chess960": start.chess960, "color": "white", "clock": clock}
        return await self._post("/api/games", {**asked, "fen": start.fen})

    async def join(self, game: dict[str, str]) -> None:
        await self._post(f"/api/games/{game['id']}/join", {"secret": game["secret"]})

    async def seek(self, variant: str, clock: Mapping[str, object]) -> str:
        """The id of a seek of this guest's that waits now; a game that comes of it has the same."""
        made = await self._post("/api/seeks", {"variants": [variant], "clock": clock})
        return str(made["seek"]["id"])

    async def take(self, seek: str) -> bool:
        """Is this guest the one who plays with the maker of `seek`?"""
        try:
            await self._post(f"/api/seeks/{seek}/accept", {})
        except RuntimeError as refusal:
            if ": 410 " not in str(refusal):
                raise
            return False
        return True

    async def protocol(self, port: int) -> int:
        """The number of the protocol that the node at `port` speaks, as its page about it says."""
        async with self._http.get(f"http://127.0.0.1:{port}/protocol", headers=self._headers) as answer:
            number = re.search(r"of protocol (\d+)", await answer.text())
        assert number is not None
        return int(number[1])

    async def follow(self, game: str, hear: Hear) -> Socket:
        """A socket of this guest that has said hello."""
        socket = await self.open_socket(hear)
        socket.send(b'{"t":"hi","proto":1,"game":"%s"}' % game.encode())
        return socket

    async def open_socket(self, hear: Hear, port: int | None = None) -> Socket:
        """A socket of this guest that has said nothing yet; through another port if one is given."""
        return await open_socket(port or self._port, "/ws", self._headers, hear)
