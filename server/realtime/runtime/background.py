"""Background tasks, started once, repeated, or once for all who ask for their result, and how they end.

A task without references may be garbage-collected while it runs, and its exception may get lost. Here every task is
kept until it ends, and its exception is logged.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Hashable, Iterable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Generic, TypeVar

from server.rules.errors import Refusal
from server.storage.errors import StoreError, Unavailable

log = logging.getLogger(__name__)

COMES_TO_PASS = (StoreError, Refusal, TimeoutError)
"""What a task may end with on a busy server, or while the store is away: no defect, so the log has one line of it."""


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
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, COMES_TO_PASS):
            log.warning("background work was left undone: %s", error)
        else:
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
        except COMES_TO_PASS as error:
            log.warning("regular work was left out: %s", error)
        except Exception:
            log.exception("regular work failed")


Thing = TypeVar("Thing")


async def act_on_each(
    things: Iterable[Thing], act: Callable[[Thing], Awaitable[object]], name: Callable[[Thing], object]
) -> None:
    """Does regular work for each thing: one for which it fails is left out, under its `name` in the log, as it would
    be the first again the next time, and keep the others waiting for ever. Raises Unavailable, TimeoutError.
    """
    for one in things:
        try:
            await act(one)
        except (Unavailable, TimeoutError):
            raise
        except COMES_TO_PASS as error:
            log.warning("regular work for %s was left out: %s", name(one), error)
        except Exception:
            log.exception("regular work for %s failed", name(one))


def heed_cancellation() -> None:
    """Raises CancelledError if the task that runs was cancelled, though a library has lost that.

    Until Python 3.12 `asyncio.wait_for`, by which the drivers of Redis and MongoDB write, forgets a cancellation that
    comes in the moment in which what it waits for is done. Call it in each round of a loop that nothing else ends: a
    loop that went on would keep the server from stopping.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError


Made = TypeVar("Made")


class SingleFlight(Generic[Made]):
    """Work that is done once, by key, for all who ask while it is in progress. Cancelling them does not cancel it."""

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
        # Not `shield`: since Python 3.14 it logs what fails when nobody waits any more.
        await asyncio.wait((task,))
        return task.result()

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
