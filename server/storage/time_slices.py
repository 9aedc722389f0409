"""Long work in slices of a few milliseconds, so that the moves of live games pass between them.

However much work is under way, one iteration of the event loop runs one slice, so nobody waits for more than that.
Threads would not help: they share the interpreter.
"""

import asyncio
from collections.abc import Callable, Generator
from time import perf_counter
from typing import Final, TypeVar
from weakref import WeakKeyDictionary

SLICE_S: Final = 0.002

Made = TypeVar("Made")

_locks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()
"""By event loop: a process has one, tests have one after the other."""


def slice_lock() -> asyncio.Lock:
    """The lock of this event loop for slices: only its holder runs one."""
    return _locks.setdefault(asyncio.get_running_loop(), asyncio.Lock())


async def run_sliced(work: Generator[object, None, Made], rest_s: float = 0.0) -> Made:
    """What `work` returns. It runs in slices of SLICE_S, with a rest of `rest_s` after each."""
    lock = slice_lock()
    while True:
        async with lock:
            rest_at = perf_counter() + SLICE_S
            try:
                while perf_counter() < rest_at:
                    next(work)
            except StopIteration as end:
                made: Made = end.value
                # The last slice of one work and the first of the next take as long as any two.
                await asyncio.sleep(0)
                return made
            await asyncio.sleep(0)
        await asyncio.sleep(rest_s)


async def run_in_one_slice(work: Callable[[], Made]) -> Made:
    """What `work` returns. It takes some milliseconds that cannot be divided."""
    async with slice_lock():
        made = work()
        await asyncio.sleep(0)
        return made
