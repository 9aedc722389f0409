"""Work that is done once for all who ask for it while it is under way, by key. Knows nothing of the work."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from functools import partial
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")


class SingleFlight(Generic[Made]):
    """What is under way. Whoever stops waiting for something does not stop it."""

    __slots__ = ("_tasks",)

    def __init__(self) -> None:
        self._tasks: dict[Hashable, asyncio.Task[Made]] = {}

    def __contains__(self, key: Hashable) -> bool:
        return key in self._tasks

    def __len__(self) -> int:
        return len(self._tasks)

    async def do(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, Made]]) -> Made:
        """What `work` returns or raises; it begins now unless it is under way for that key."""
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(work())
            task.add_done_callback(partial(self._done, key))
        return await asyncio.shield(task)

    def forget(self, key: Hashable) -> None:
        """What is under way for that key is out of date: whoever asks from now on has it done anew."""
        self._tasks.pop(key, None)

    def is_current(self, key: Hashable) -> bool:
        """For the work itself: has nobody forgotten it since it began?"""
        return self._tasks.get(key) is asyncio.current_task()

    def cancel(self) -> None:
        """Nobody gets anything any more."""
        for task in self._tasks.values():
            task.cancel()

    def _done(self, key: Hashable, task: asyncio.Task[Made]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]
        if not task.cancelled():
            # Asked for, as nobody may be left who waits for it: asyncio would log what it raised as a mistake of ours.
            task.exception()
