"""The one thread that works on the SQLite file, and whose turn is next of the reads and writes that wait for it.

Writes go first, as the moves are among them. But after each write comes a read, if one waits: otherwise writes without
end would keep every page from opening. So a move waits for one read at most, however many pages are asked for.

A move waits for this thread twice, until it wakes up and until the event loop does, so nothing else is in between: an
executor and its futures took another tenth of a millisecond. Knows nothing of SQLite.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Final, TypeVar

Made = TypeVar("Made")
STOP: Final = "stop"
GO_ON: Final = "go on"


@dataclass(frozen=True, slots=True)
class _Job:
    """`made` becomes what `work` returns or raises, on its own event loop."""

    work: Callable[[], Any]
    made: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop

    def do(self) -> None:
        if self.made.cancelled():
            return
        try:
            made = self.work()
        except BaseException as error:
            self._tell(self.made.set_exception, error)
        else:
            self._tell(self.made.set_result, made)

    def _tell(self, tell: Callable[[Any], None], what: object) -> None:
        # A loop that is closed has nobody left who waits.
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self._unless_cancelled, tell, what)

    def _unless_cancelled(self, tell: Callable[[Any], None], what: object) -> None:
        if not self.made.cancelled():
            tell(what)


class FileThread:
    """Does what it is given, one after another, until it is told to `end`: what is given after that is never done."""

    def __init__(self) -> None:
        self._reads: deque[_Job] = deque()
        self._writes: deque[_Job] = deque()
        self._tokens: SimpleQueue[str] = SimpleQueue()
        """One for each job, so that the thread sleeps while there is none."""
        self._wrote = False
        self._last: _Job | None = None
        # A server that must stop at once does not wait for a disk.
        self._thread = Thread(target=self._run, name="sqlite", daemon=True)
        self._thread.start()

    async def read(self, work: Callable[[], Made]) -> Made:
        """What `work` returns, which only reads."""
        return await self._done(self._reads, work)

    async def write(self, work: Callable[[], Made]) -> Made:
        """What `work` returns, which writes."""
        return await self._done(self._writes, work)

    async def end(self, last: Callable[[], object]) -> None:
        """Does `last` when all that is queued is done, and nothing after it. Returns then."""
        loop = asyncio.get_running_loop()
        self._last = _Job(last, loop.create_future(), loop)
        self._tokens.put(STOP)
        await self._last.made

    def let_others_pass(self, within_s: float) -> bool:
        """For a long job: does the next one in between, which is waited for up to `within_s`. Was there any?"""
        try:
            token = self._tokens.get(timeout=within_s)
        except Empty:
            return False
        if token is STOP:
            self._tokens.put(STOP)
            return False
        self._next().do()
        return True

    async def _done(self, queue: "deque[_Job]", work: Callable[[], Made]) -> Made:
        loop = asyncio.get_running_loop()
        made: asyncio.Future[Made] = loop.create_future()
        queue.append(_Job(work, made, loop))
        self._tokens.put(GO_ON)
        return await made

    def _run(self) -> None:
        while self._tokens.get() is not STOP:
            self._next().do()
        if self._last is not None:
            self._last.do()

    def _next(self) -> _Job:
        self._wrote = bool(self._writes) and not (self._wrote and self._reads)
        return (self._writes if self._wrote else self._reads).popleft()
