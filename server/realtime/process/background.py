"""Background tasks, started once or repeated, and how they end.

A task without references may be garbage-collected while it runs, and its exception may get lost. Here every task is
kept until it ends, and its exception is logged.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

from server.storage.errors import StoreError

log = logging.getLogger(__name__)


class Background:
    """A set of running tasks."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Starts a task. Tasks start in the order in which they were spawned."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("background work failed", exc_info=error)

    async def finish(self, seconds: float) -> None:
        """Waits for the running tasks, and those that they start, for up to `seconds`, then cancels the rest and waits
        for it.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._tasks:
                    await asyncio.wait(set(self._tasks))
        rest = set(self._tasks)
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)


@asynccontextmanager
async def running(*loops: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Runs these until the block ends."""
    tasks = [asyncio.create_task(loop) for loop in loops]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def every(seconds: float, work: Callable[[], Awaitable[None]], *, at_once: bool = False) -> None:
    """Repeats `work` every `seconds` until cancelled, even if the store is unavailable for a while.

    `at_once`: for the first time now, not only after that time.
    """
    pause = 0.0 if at_once else seconds
    while True:
        heed_cancellation()
        await asyncio.sleep(pause)
        pause = seconds
        try:
            await work()
        except (StoreError, TimeoutError) as error:
            log.warning("regular work was left out: %s", error)
        except Exception:
            log.exception("regular work failed")


def heed_cancellation() -> None:
    """Raises CancelledError if the task that runs was cancelled, though a library has lost that.

    Until Python 3.12 `asyncio.wait_for`, by which the drivers of Redis and MongoDB write, forgets a cancellation that
    comes in the moment in which what it waits for is done. Call it in each round of a loop that nothing else ends: a
    loop that went on would keep the server from stopping.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
