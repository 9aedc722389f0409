"""What waits to be sent to one client. Knows no socket: the line that it heads is a subclass elsewhere.

Nobody who puts something in ever waits. A client that does not read is cut off when 64 texts or 128 Ki characters
wait for it (measured otherwise: one dead reader stops a game for everybody, or memory grows without
end). The server keeps what it missed for some time, so it can come back.
"""

from abc import ABC, abstractmethod
from typing import Final

MAX_TEXTS: Final = 64
MAX_CHARACTERS: Final = 128 * 1024
TOO_SLOW: Final = 4429


class Outbox(ABC):
    """A bounded queue at the head of a line, which is a subclass: it writes, and takes out what had to wait."""

    __slots__ = ("_latest", "_size", "_texts", "close_code", "closed")

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._latest: str | None = None
        self._size = 0
        self.closed = False
        self.close_code = 1000

    @abstractmethod
    def send(self, text: str) -> bool:
        """Write `text` to the line at once if nothing written before has to wait, and say whether that was done."""

    @abstractmethod
    def wake(self) -> None:
        """There is something to `take` soon, or nothing more will come."""

    @abstractmethod
    def abort(self) -> None:
        """End the line at once, whatever is being written."""

    def put(self, text: str) -> None:
        """Send `text`, or queue it, or cut the client off if too much waits already. After closing nothing is taken."""
        if self.closed:
            return
        if not self._texts and self._latest is None and self.send(text):
            return
        if len(self._texts) >= MAX_TEXTS or self._size + len(text) > MAX_CHARACTERS:
            self.cut(TOO_SLOW)
            return
        self._texts.append(text)
        self._size += len(text)
        self.wake()

    def put_latest(self, text: str) -> None:
        """Queue `text` in place of an earlier one put here that is still waiting: only the newest counts."""
        if not self.closed:
            self._latest = text
            self.wake()

    def close(self, code: int) -> None:
        """Let what is queued go out, then end with `code`."""
        if not self.closed:
            self.closed = True
            self.close_code = code
            self.wake()

    def cut(self, code: int) -> None:
        """End at once; what is queued is lost."""
        self.closed = True
        self.close_code = code
        self._texts.clear()
        self._latest = None
        self._size = 0
        self.abort()

    def take(self) -> str | None:
        """The next text to write; None when nothing waits."""
        if self._texts:
            text = self._texts.pop(0)
            self._size -= len(text)
            return text
        latest, self._latest = self._latest, None
        return latest
