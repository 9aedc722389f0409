"""The one thread that works on the SQLite file, and the order of the reads and writes that wait for it.

Writes go first, as the moves are among them. But after each write comes a read, if one waits: otherwise writes without
end would keep every page from opening. So a move waits for one read at most, however many pages are asked for.

It is no `ThreadPoolExecutor(1)`, which was measured beside it (medians of five runs by turns, uvloop, two shared cores,
no wait for the disk): a lone write took 46 µs here and 60 there, a read 23 and 34, and a write among twenty readers
0.15 ms and 0.95, as an executor knows no order. Knows nothing of SQLite.
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
WORK: Final = "work"


@dataclass(frozen=True, slots=True)
class _Job:
    """`made` becomes what `work` returns or raises, on its own event loop."""

    work: Callable[[], Any]
    made: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop

    def run(self) -> None:
        if self.made.cancelled():
            return
        try:
            made = self.work()
        except BaseException as error:
            self._answer(self.made.set_exception, error)
        else:
            self._answer(self.made.set_result, made)

    def _answer(self, settle: Callable[[Any], None], value: object) -> None:
        # On a closed loop nobody waits for the answer.
        with suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self._unless_cancelled, settle, value)

    def _unless_cancelled(self, settle: Callable[[Any], None], value: object) -> None:
        if not self.made.cancelled():
            settle(value)


class FileThread:
    """Runs jobs one after another until `end`; a job that comes after that never runs."""

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
        return await self._run_queued(self._reads, work)

    async def write(self, work: Callable[[], Made]) -> Made:
        """What `work` returns, which writes."""
        return await self._run_queued(self._writes, work)

    async def end(self, last: Callable[[], object]) -> None:
        """Runs `last` when all that is queued has run, and nothing after it. Returns then."""
        loop = asyncio.get_running_loop()
        self._last = _Job(last, loop.create_future(), loop)
        self._tokens.put(STOP)
        await self._last.made

    def let_others_pass(self, within_s: float) -> bool:
        """For a long job: runs the next one in between, and waits for it up to `within_s`. Was there any?"""
        try:
            token = self._tokens.get(timeout=within_s)
        except Empty:
            return False
        if token is STOP:
            self._tokens.put(STOP)
            return False
        self._next().run()
        return True

    async def _run_queued(self, queue: "deque[_Job]", work: Callable[[], Made]) -> Made:
        loop = asyncio.get_running_loop()
        made: asyncio.Future[Made] = loop.create_future()
        queue.append(_Job(work, made, loop))
        self._tokens.put(WORK)
        return await made

    def _run(self) -> None:
        while self._tokens.get() is not STOP:
            self._next().run()
        if self._last is not None:
            self._last.run()

    def _next(self) -> _Job:
        self._wrote = bool(self._writes) and not (self._wrote and self._reads)
        return (self._writes if self._wrote else self._reads).popleft()
