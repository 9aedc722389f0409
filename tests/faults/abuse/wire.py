"""The attacker's end of a connection: bytes out, status lines in, all of it counted. Knows no shapes."""

import asyncio
import json
import socket
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import quote

from tests.faults.abuse.many_games import Owner
from tests.faults.abuse.targets import Target
from tests.support.live.processes import SITE

MAX_BYTES = 50_000_000
"""One client sends no more than that against one route."""
LARGE = 65_536


class Spent(Exception):
    """So many bytes as one client may send have been sent."""


@dataclass(slots=True)
class Sent:
    """What was sent and what came back. Raises Spent from `charge` when one client has sent enough."""

    sent: int = 0
    spent: bool = False
    answers: Counter[int] = field(default_factory=Counter)
    broken: int = 0
    turned_away: int = 0
    """Requests of people beside the attack that were refused."""

    def charge(self, size: int) -> None:
        self.spent = self.spent or self.sent + size > MAX_BYTES
        if self.spent:
            raise Spent
        self.sent += size

    def as_json(self) -> dict[str, object]:
        return {
            "sent": self.sent,
            "answers": dict(self.answers),
            "broken": self.broken,
            "turned_away": self.turned_away,
        }


@dataclass(frozen=True, slots=True)
class Caller:
    """Who attacks: where the server is, the network address it sees, and the cookie of a guest, "" for none."""

    port: int
    address: str
    cookie: str = ""


@dataclass(frozen=True, slots=True)
class Seats:
    """A game in play, and the cookies of its players, who attack together."""

    game: str = "AAAAAAAAAA"
    cookies: list[str] = field(default_factory=lambda: ["sid=nobody"])


@dataclass(slots=True)
class Attack:
    """One shape at one target, by one client, for so many seconds. `game`: the longest there is; `seats` at another.

    `owner`: somebody with as many games as anybody may have.
    `began`, `ends`: the loop's time (s), once the first connection is to be opened.
    """

    caller: Caller
    target: Target
    game: str
    seconds: float
    seats: Seats = field(default_factory=Seats)
    owner: Owner = field(default_factory=Owner)
    sent: Sent = field(default_factory=Sent)
    began: float = 0.0
    ends: float = 0.0

    def begin(self) -> None:
        self.began = asyncio.get_running_loop().time()
        self.ends = self.began + self.seconds

    @property
    def goes_on(self) -> bool:
        return asyncio.get_running_loop().time() < self.ends

    async def connect(self, room: int | None = None, port: int = 0) -> "Connection":
        """`room`: so many bytes may wait for a client who does not read; None: what is usual. `port`: 0: the site's."""
        line = socket.socket()
        if room is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        line.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", port or self.caller.port))
            reader, writer = await asyncio.open_connection(sock=line, limit=LARGE)
        except BaseException:
            line.close()
            raise
        return Connection(self, reader, writer)

    def head(
        self, headers: Mapping[str, str] | None = None, path: str | None = None, method: str | None = None
    ) -> bytes:
        """A request's head without the empty line that ends it: a page of the site asks, unless `headers` differ."""
        usual = {"Host": "bench.test", "Origin": SITE, "X-Forwarded-For": self.caller.address}
        if self.caller.cookie:
            usual["Cookie"] = self.caller.cookie
        lines = "".join(f"{name}: {value}\r\n" for name, value in (usual | dict(headers or {})).items())
        asked = quote(path or self.target.path, safe="/@?=&.%-_~")
        return f"{method or self.target.method} {asked} HTTP/1.1\r\n{lines}".encode()

    def request(
        self, body: bytes = b"", kind: str = "application/json", headers: Mapping[str, str] | None = None
    ) -> bytes:
        """A whole request."""
        if not body and self.target.method in ("GET", "DELETE"):
            return self.head(headers) + b"\r\n"
        size = {"Content-Type": kind, "Content-Length": str(len(body))}
        return self.head({**size, **(headers or {})}) + b"\r\n" + body


class Connection:
    """One TCP connection. Everything written is charged to the attack."""

    def __init__(self, attack: Attack, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._attack, self.reader, self._writer = attack, reader, writer

    async def send(self, data: bytes) -> None:
        """Raises Spent, ConnectionError."""
        for at in range(0, len(data), LARGE):
            piece = data[at : at + LARGE]
            self._attack.sent.charge(len(piece))
            self._writer.write(piece)
            await self._writer.drain()

    async def answer(self) -> int:
        """The status of the next answer, its body read. Raises ConnectionError, IncompleteReadError."""
        head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        status = int(head[9:12])
        self._attack.sent.answers[status] += 1
        if b"content-length:" in head:
            size = int(head.partition(b"content-length:")[2].split(b"\r\n", 1)[0])
            while size and (data := await self.reader.read(min(size, LARGE))):
                size -= len(data)
        elif status != 101:
            while line := await self.reader.readline():
                size = int(line, 16)
                await self.reader.readexactly(size + 2)
                if not size:
                    break
        return status

    async def listen(self) -> None:
        """Count answers until the server ends the connection."""
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
            while True:
                await self.answer()

    async def send_while_listening(self, *pieces: bytes) -> None:
        """Counts the answers that come meanwhile."""
        listening = asyncio.create_task(self.listen())
        try:
            for piece in pieces:
                await self.send(piece)
            await listening
        finally:
            listening.cancel()

    def close(self) -> None:
        self._writer.transport.abort()


def json_of(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
