"""Which sockets are open, who may open another, and how all of them are told good-bye. Knows no game."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from server.realtime.bus import SessionsEnded
from server.realtime.node import Node
from server.realtime.outbox import Outbox
from server.web.limits import Limits, Places
from server.web.problems import Problem, too_many

PER_SESSION = 10
WATCHERS_PER_ADDRESS = 50
"""Sockets of nobody in particular."""
PER_ADDRESS = 400
"""All sockets: a school sits behind one address, and each of its players is limited by session already."""
SERVICE_RESTART = 1012
"""Come back at once."""
SESSION_ENDED = 4401
"""Do not come back by yourself: this browser is signed out."""


class OpenSockets:
    """The sockets of this process. `draining`: the server stops and takes nobody new."""

    def __init__(self, limits: Limits, node: Node) -> None:
        self.draining = False
        self._limits = limits
        self._node = node
        node.sessions_ended.append(self.close)
        self._places = Places()
        self._outboxes: dict[Outbox, str | None] = {}

    def __len__(self) -> int:
        return len(self._outboxes)

    def check(self, session: str | None, address: str) -> None:
        """Raises Problem if this caller may not open another socket now. Ask before the handshake."""
        if self.draining:
            raise Problem(
                503, "restarting", "The server is about to restart. Try again in some seconds.", retry_after=5
            )
        seconds = self._node.now() / 1000
        wait = self._limits.handshakes_by_address.take(address, seconds)
        if session is not None:
            wait = wait or self._limits.handshakes.take(session, seconds)
        if wait:
            raise too_many(wait)
        most = PER_SESSION if session is not None else WATCHERS_PER_ADDRESS
        if not (self._places.free(session or f"watchers {address}", most) and self._places.free(address, PER_ADDRESS)):
            raise Problem(429, "too_many_sockets", "You have too many boards open at once. Close some.", retry_after=30)

    @contextmanager
    def place(self, session: str | None, address: str) -> Iterator[None]:
        """Keeps a place from before the handshake until the socket is gone: a burst cannot slip past `check`."""
        keys = (session or f"watchers {address}", address)
        self._places.enter(keys)
        try:
            yield
        finally:
            self._places.leave(keys)

    @contextmanager
    def present(self, outbox: Outbox, session: str | None) -> Iterator[None]:
        """While it lasts, the socket is one of those that are told of a restart, or of the end of their session."""
        self._outboxes[outbox] = session
        try:
            yield
        finally:
            del self._outboxes[outbox]

    @property
    def sessions(self) -> frozenset[str]:
        """The sessions whose sockets are open here."""
        return frozenset(session for session in self._outboxes.values() if session is not None)

    def end_sessions(self, ended: Collection[str], code: int) -> None:
        """Closes the sockets of these sessions with `code`, at every process."""
        notice = SessionsEnded(frozenset(ended), code)
        self.close(notice)
        if ended:
            self._node.bus.tell(notice)

    def close(self, notice: SessionsEnded) -> None:
        """Closes those that are open here."""
        for outbox, session in self._outboxes.items():
            if session in notice.sessions:
                outbox.close(notice.code)

    def close_all(self) -> None:
        """Closes every socket behind what is queued for it. Set `draining` first, so that nobody comes in meanwhile."""
        for outbox in self._outboxes:
            outbox.close(SERVICE_RESTART)
