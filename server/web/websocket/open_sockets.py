"""Which sockets are open, who may open another, and how all of them are closed. Knows no game."""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol

from server.realtime.cluster.bus import SessionsEnded
from server.realtime.protocol.outbox import TOO_SLOW
from server.realtime.shared import Services
from server.web.budgets.buckets import ConnectionCounter
from server.web.rendering.problems import Problem
from server.web.websocket.socket import Socket, is_late

PER_SESSION = 10
WATCHERS_PER_ADDRESS = 200
"""Sockets of visitors without a session: a school may watch a game, and half of its sockets are left to players."""
PER_ADDRESS = 400
"""All sockets: a whole school is behind one address, and each of its players is already limited by session."""
SERVICE_RESTART = 1012
"""Close code: reconnect at once."""
SESSION_ENDED = 4401
"""Close code: do not reconnect, this browser is signed out."""


class TokenReaders(Protocol):
    """What is open by tokens, and ends with them, on whatever process."""

    @property
    def tokens(self) -> Collection[str]:
        """The hashes of the tokens with which something is open here."""

    def close_streams(self, ended: SessionsEnded) -> None: ...


class OpenSockets:
    """The sockets of this process. `draining`: the server is stopping and accepts nobody new.

    `closed` counts closed sockets by the code that their peers sent, `cut` those whose peers did not read.
    """

    def __init__(self, services: Services) -> None:
        self.draining = False
        self.closed: Counter[int] = Counter()
        self.cut = 0
        self.now = services.now
        self.throttle = services.throttle
        self.crowds = services.crowds
        self.readers: list[TokenReaders] = []
        self._services = services
        self._connections = ConnectionCounter()
        self._beat_at = services.now()
        self._sockets: dict[Socket, None] = {}
        self._none = asyncio.Event()
        self._replaced: set[str] = set()

    def __len__(self) -> int:
        return len(self._sockets)

    def check(self, session: str | None, address: str) -> None:
        """Raises Problem if this caller may not open another socket now. Call it before the handshake."""
        if self.draining:
            raise Problem(503, "restarting", retry_after=5)
        most = PER_SESSION if session is not None else WATCHERS_PER_ADDRESS
        whose, here = keys_of(session, address)
        if session is not None and not self._connections.free(whose, most):
            raise Problem(429, "too_many_sockets", retry_after=30, n=most)
        if not (self._connections.free(whose, most) and self._connections.free(here, PER_ADDRESS)):
            raise Problem(429, "too_many_at_address", code="too_many_sockets", retry_after=30)

    def keep(self, socket: Socket) -> None:
        """Counts `socket`, and tells it of a restart or the end of its session, from now on."""
        self._sockets[socket] = None
        self._connections.add(keys_of(socket.session, socket.address))

    def gone(self, socket: Socket, code: int) -> None:
        """Called when `socket` is gone; `code` is the one with which its peer closed it."""
        del self._sockets[socket]
        self._connections.remove(keys_of(socket.session, socket.address))
        self.closed[code] += 1
        self.cut += socket.close_code == TOO_SLOW
        if not self._sockets:
            self._none.set()

    def beat(self) -> None:
        """Pings silent peers. Call it every BEAT_SECONDS."""
        before, self._beat_at = self._beat_at, self.now()
        late = is_late(self._beat_at - before)
        for socket in tuple(self._sockets):
            socket.beat(late)

    @property
    def sessions(self) -> frozenset[str]:
        """The sessions whose sockets are open here, but for those that are being replaced."""
        open_here = (socket.session for socket in self._sockets if socket.session is not None)
        return frozenset(open_here) - self._replaced

    @contextmanager
    def replacing(self, session: str) -> Iterator[None]:
        """For a block that puts another session in the place of this one, and at its end has its browser come back:
        until then nobody takes it for one that has ended, of which a board would not come back.
        """
        self._replaced.add(session)
        try:
            yield
        finally:
            self._replaced.discard(session)

    @property
    def tokens(self) -> frozenset[str]:
        """The tokens with which something is open here."""
        return frozenset(token for one in self.readers for token in one.tokens)

    def end_sessions(self, ended: Collection[str], code: int) -> None:
        """Closes the sockets of these sessions, and the streams of these tokens, with `code`, in every process."""
        notice = SessionsEnded(frozenset(ended), code)
        self.close(notice)
        if ended:
            self._services.bus.tell(notice)

    def close(self, notice: SessionsEnded) -> None:
        """Closes those of them that are open here."""
        for one in self.readers:
            one.close_streams(notice)
        for socket in self._sockets:
            if socket.session in notice.sessions:
                socket.close(notice.code)

    async def close_all(self, seconds: float) -> None:
        """Closes every socket after what is queued for it; returns once all are gone, after `seconds` at most.

        Set `draining` first, so that nobody opens one meanwhile.
        """
        self._none.clear()
        for socket in self._sockets:
            socket.close(SERVICE_RESTART)
        if self._sockets:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._none.wait()
        for socket in self._sockets:
            socket.abort()


def keys_of(session: str | None, address: str) -> tuple[str, str]:
    """The keys by which a socket is counted."""
    return session or f"watchers {address}", address
