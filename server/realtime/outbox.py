"""What waits to be sent to one client. Knows no socket: a writer elsewhere takes the texts out one by one.

Nobody who puts something in ever waits. A client that does not read is cut off when 64 texts or 128 Ki characters
wait for it (measured otherwise: one dead reader stops a game for everybody, or memory grows without
end). The server keeps what it missed for some time, so it can come back.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

MAX_TEXTS: Final = 64
MAX_CHARACTERS: Final = 128 * 1024
TOO_SLOW: Final = 4429


def later(text: str) -> bool:
    """For a line that can only be written to by the reader of its outbox."""
    return False


class Outbox:
    """A bounded queue with one reader. `abort` cuts the line at once, whatever the reader is doing.

    `send` may write a text to the line at once, past the reader, and says whether it did: while nothing waits that is
    the short way, and a thousand watchers need not be woken one by one.
    """

    __slots__ = ("_abort", "_burst", "_latest", "_reader", "_send", "_size", "_texts", "close_code", "closed")

    def __init__(self, abort: Callable[[], None], send: Callable[[str], bool] = later) -> None:
        self._abort = abort
        self._send = send
        self._texts: list[str] = []
        self._latest: str | None = None
        self._size = 0
        self._burst = 0
        self._reader: asyncio.Future[None] | None = None
        self.closed = False
        self.close_code = 1000

    def put(self, text: str) -> None:
        """Queue `text`, or cut the client off if too much waits already. After closing nothing is taken."""
        if self.closed:
            return
        if not self._texts and self._latest is None and self._send(text):
            return
        if len(self._texts) >= MAX_TEXTS + self._burst or self._size + len(text) > MAX_CHARACTERS:
            self.cut(TOO_SLOW)
            return
        self._texts.append(text)
        self._size += len(text)
        self._wake()

    def put_all(self, texts: Sequence[str]) -> None:
        """Queue what a client missed while it was away, however many texts that is; only their size is bounded."""
        self._burst += len(texts)
        for text in texts:
            self.put(text)

    def put_latest(self, text: str) -> None:
        """Queue `text` in place of an earlier one put here that is still waiting: only the newest counts."""
        if not self.closed:
            self._latest = text
            self._wake()

    def close(self, code: int) -> None:
        """Let what is queued go out, then end with `code`."""
        if not self.closed:
            self.closed = True
            self.close_code = code
            self._wake()

    def cut(self, code: int) -> None:
        """End at once; what is queued is lost."""
        self.closed = True
        self.close_code = code
        self._texts.clear()
        self._latest = None
        self._size = 0
        self._wake()
        self._abort()

    async def next(self) -> str | None:
        """The next text to send; None when there will be no more."""
        while True:
            if self._texts:
                text = self._texts.pop(0)
                self._size -= len(text)
                if not self._texts:
                    self._burst = 0
                return text
            if self._latest is not None:
                text, self._latest = self._latest, None
                return text
            if self.closed:
                return None
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
