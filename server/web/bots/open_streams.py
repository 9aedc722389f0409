"""The streams of programs: who may open another, and how lines are written to those who read slowly or not at all.

Nothing is queued for a reader: what is written next is made when there is room for it (see `realtime.protocol.wake`).
A stream is looked at again every few seconds, so that a token that was revoked, on whatever process, reads no more.
"""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import orjson
from aiohttp import web

from server.realtime.protocol.wake import Wake
from server.web.bots.callers import Caller
from server.web.budgets.buckets import ConnectionCounter
from server.web.openapi.operation import NDJSON
from server.web.rendering.problems import Problem
from server.web.site import SITE

PER_ACCOUNT: Final = 64
"""Streams of one account at once, one of them of its events."""
KEEP_ALIVE_S: Final = 6.0
"""An empty line that often tells both sides that the other is there; clients of lichess wait for 15 seconds."""
SEND_S: Final = 10.0
"""A client that reads nothing for this long is disconnected."""
UNACKNOWLEDGED_MS: Final = 20_000
"""The same for one whose connection is dead, where the system can tell."""


@dataclass(slots=True)
class OpenStreams:
    """The streams of this process."""

    connections: ConnectionCounter = field(default_factory=ConnectionCounter)
    of_events: dict[str, Wake] = field(default_factory=dict)
    """By token: a new stream of events takes the place of the old one."""

    @asynccontextmanager
    async def counted(self, account: str) -> AsyncIterator[None]:
        """Raises Problem (429) if that account (an id) has as many as anybody may have."""
        if not self.connections.free(account, PER_ACCOUNT):
            raise Problem(429, "too_many_streams", retry_after=30)
        self.connections.add((account,))
        try:
            yield
        finally:
            self.connections.remove((account,))


OPEN_STREAMS = web.AppKey("OPEN_STREAMS", OpenStreams)


class LineStream:
    """The lines of one answer, each a JSON object. `wake` says when to look for more."""

    __slots__ = ("_answer", "_caller", "_request", "wake")

    def __init__(self, request: web.Request, caller: Caller, wake: Wake) -> None:
        self.wake = wake
        self._request = request
        self._caller = caller
        self._answer = web.StreamResponse(headers={"Content-Type": NDJSON, "X-Accel-Buffering": "no"})

    async def open(self) -> web.StreamResponse:
        """Sends the head. Raises Problem (503) if the server is about to stop."""
        if self._request.app[SITE].open_sockets.draining:
            raise Problem(503, "restarting", retry_after=5)
        await self._answer.prepare(self._request)
        connection = None if self._request.transport is None else self._request.transport.get_extra_info("socket")
        if connection is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNACKNOWLEDGED_MS)
        return self._answer

    async def write(self, lines: Iterable[dict[str, Any]]) -> None:
        """Raises ConnectionResetError if the reader is gone or too slow."""
        text = b"".join(orjson.dumps(line) + b"\n" for line in lines)
        if text:
            await self._send(text)

    async def _send(self, text: bytes) -> None:
        try:
            async with asyncio.timeout(SEND_S):
                await self._answer.write(text)
        except TimeoutError:
            if self._request.transport is not None:
                self._request.transport.abort()
            raise ConnectionResetError("The reader of a stream reads nothing.") from None

    async def goes_on(self) -> bool:
        """Waits for news, or for the next moment to look without; False when the stream has to end.

        Raises ConnectionResetError, Unavailable.
        """
        if not await self.wake.news(KEEP_ALIVE_S) and not self.wake.closed:
            if await self._request.app[SITE].store.tokens.find(self._caller.token.hashed) is None:
                return False
            await self._send(b"\n")
        return not self.wake.closed
