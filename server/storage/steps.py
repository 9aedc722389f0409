"""Long work done in short steps, so that the moves of live games pass between them. Knows nothing of the work."""

import asyncio
from collections.abc import Generator
from time import perf_counter
from typing import Final, TypeVar

WORK_S: Final = 0.002

Made = TypeVar("Made")


async def in_steps(steps: Generator[None, None, Made], rest_s: float = 0.0) -> Made:
    """What `steps` returns, worked out a few milliseconds at a time, with `rest_s` between for everybody else."""
    while True:
        rest_at = perf_counter() + WORK_S
        try:
            while perf_counter() < rest_at:
                next(steps)
        except StopIteration as end:
            made: Made = end.value
            return made
        await asyncio.sleep(rest_s)
