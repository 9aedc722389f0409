"""Work that nobody waits for: started once, or done again and again. Knows nothing of what is done.

A task that nothing refers to may be collected while it runs, and its exception is seen by nobody; here every task
is kept until it ends, and what it raises is logged.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from server.storage.errors import StoreError

log = logging.getLogger(__name__)


class Background:
    """A set of running tasks."""

    __slots__ = ("_tasks",)

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start `work`; tasks start in the order in which they were spawned."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("background work failed", exc_info=error)

    async def finish(self, seconds: float) -> None:
        """Wait for what is running, at most `seconds`; then cancel the rest and wait for that."""
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=seconds)
        rest = set(self._tasks)
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)


async def every(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    """Do `work` again and again until cancelled; a store that is away for a while ends nothing."""
    while True:
        await asyncio.sleep(seconds)
        try:
            await work()
        except (StoreError, TimeoutError) as error:
            log.warning("regular work was left out: %s", error)
        except Exception:
            log.exception("regular work failed")
