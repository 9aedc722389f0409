"""Work that is done once for all who ask for it while it is in progress, by key."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")


class SingleFlight(Generic[Made]):
    """The work in progress. Cancelling a caller does not cancel the work."""

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[Made]] = {}

    def __contains__(self, key: Hashable) -> bool:
        return key in self._tasks

    def __len__(self) -> int:
        return len(self._tasks)

    async def do(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, Made]]) -> Made:
        """What `work` returns or raises. It is started unless it is in progress for that key."""
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(work())
            task.add_done_callback(partial(self._done, key))
        return await asyncio.shield(task)

    def forget(self, key: Hashable) -> None:
        """Marks the work in progress for that key as outdated: later callers start it anew."""
        self._tasks.pop(key, None)

    def is_current(self, key: Hashable) -> bool:
        """For the work itself: is it still up to date?"""
        return self._tasks.get(key) is asyncio.current_task()

    def cancel(self) -> None:
        """Cancels all work."""
        for task in self._tasks.values():
            task.cancel()

    def _done(self, key: Hashable, task: asyncio.Task[Made]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
        if not task.cancelled():
            # Retrieved, because nobody may be left to await it: asyncio would log it as never retrieved.
            task.exception()
