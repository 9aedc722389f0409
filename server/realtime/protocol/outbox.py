"""The bounded queue of what is to be sent to one client. A subclass elsewhere is the socket.

Putting something in never waits. A client that does not read is cut off when 64 texts or 128 Ki characters are queued:
otherwise, as measured, one dead reader stops a game for everybody, or memory grows without end. The server keeps what
it missed for a while, so that it can reconnect.
"""

import asyncio
from abc import ABC, abstractmethod
from typing import Final

MAX_TEXTS: Final = 64
MAX_CHARACTERS: Final = 128 * 1024
TOO_SLOW: Final = 4429


class Outbox(ABC):
    """The queue of one socket, which is a subclass: it writes, and takes what had to be queued."""

    __slots__ = ("_latest", "_size", "_texts", "close_code", "closed")

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._latest: str | None = None
        self._size = 0
        self.closed = False
        self.close_code = 1000

    @abstractmethod
    def send(self, text: str, *, more: bool = False) -> bool:
        """Writes `text` at once unless earlier texts are still being written. Was it written? `more`: as for `put`."""

    @abstractmethod
    def wake(self, *, in_turn: bool = False) -> None:
        """Called when there is something to `take`, or nothing more will come. `in_turn`: as for `put`."""

    @abstractmethod
    def abort(self) -> None:
        """Closes the socket at once, whatever is being written."""

    def put(self, text: str, *, in_turn: bool = False, more: bool = False) -> None:
        """Sends or queues `text`, or cuts the client off if too much is queued. Does nothing after closing.

        `in_turn`: a whole crowd is told the same, so a socket may first let others go on with their moves. `more`: the
        next text follows in this step of the event loop, so a socket may write both at once.
        """
        if self.closed:
            return
        if not in_turn and not self._texts and self._latest is None and self.send(text, more=more):
            return
        if len(self._texts) >= MAX_TEXTS or self._size + len(text) > MAX_CHARACTERS:
            self.cut(TOO_SLOW)
            return
        self._texts.append(text)
        self._size += len(text)
        self.wake(in_turn=in_turn)

    def put_latest(self, text: str, *, in_turn: bool = False) -> None:
        """Queues `text` in place of an earlier one put here that is still queued: only the latest counts."""
        if not self.closed:
            self._latest = text
            self.wake(in_turn=in_turn)

    def close(self, code: int) -> None:
        """Sends what is queued, then closes with `code`."""
        if not self.closed:
            self.closed = True
            self.close_code = code
            self.wake()

    def cut(self, code: int) -> None:
        """Closes at once; what is queued is lost."""
        self.closed = True
        self.close_code = code
        self._texts.clear()
        self._latest = None
        self._size = 0
        self.abort()

    def take(self) -> str | None:
        """The next text to write; None if the queue is empty."""
        if self._texts:
            text = self._texts.pop(0)
            self._size -= len(text)
            return text
        latest, self._latest = self._latest, None
        return latest


class WakingOutbox(Outbox):
    """An outbox that keeps no text: its reader is woken, and reads from the state itself what has become of it.

    So it is never full, however slow its reader is: what came meanwhile is read at once. If `own_only`, it does not
    wake for what everybody is told (`in_turn`). `closed`: nothing more comes.
    """

    __slots__ = ("_news", "_own_only")

    def __init__(self, *, own_only: bool = False) -> None:
        super().__init__()
        self._news = asyncio.Event()
        self._own_only = own_only

    def put(self, text: str, *, in_turn: bool = False, more: bool = False) -> None:
        if not (in_turn and self._own_only):
            self._news.set()

    def put_latest(self, text: str, *, in_turn: bool = False) -> None:
        self._news.set()

    def send(self, text: str, *, more: bool = False) -> bool:
        return False

    def wake(self, *, in_turn: bool = False) -> None:
        self._news.set()

    def abort(self) -> None:
        self._news.set()

    async def news(self, seconds: float) -> bool:
        """Waits until there is some, or `seconds` have passed: False."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True
