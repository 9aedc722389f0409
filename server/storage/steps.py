"""Long work done in short steps, so that the moves of live games pass between them. Knows nothing of the work.

However many works are under way, only one of them takes a step in a round of the event loop, so that nobody waits for
more than one. Threads would not do: they share the interpreter.
"""

import asyncio
from collections.abc import Callable, Generator
from time import perf_counter
from typing import Final, TypeVar
from weakref import WeakKeyDictionary

WORK_S: Final = 0.002

Made = TypeVar("Made")

_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()
"""By event loop; a process has one, and tests have one after the other."""


def turn_of_loop() -> asyncio.Lock:
    """Who has it may take a step."""
    return _turns.setdefault(asyncio.get_running_loop(), asyncio.Lock())


async def in_steps(steps: Generator[object, None, Made], rest_s: float = 0.0) -> Made:
    """What `steps` returns, worked out a few milliseconds at a time, with `rest_s` between for everybody else."""
    turn = turn_of_loop()
    while True:
        async with turn:
            rest_at = perf_counter() + WORK_S
            try:
                while perf_counter() < rest_at:
                    next(steps)
            except StopIteration as end:
                made: Made = end.value
                # The last step of one and the first of the next are as long as any two.
                await asyncio.sleep(0)
                return made
            await asyncio.sleep(0)
        await asyncio.sleep(rest_s)


async def in_one_step(work: Callable[[], Made]) -> Made:
    """What `work` returns, of some milliseconds that cannot be divided, as the only step in its round."""
    async with turn_of_loop():
        made = work()
        await asyncio.sleep(0)
        return made
