"""The one place where work that holds the event loop waits for its turn, so that a move is never behind more than one
piece of it. Knows no page and no game.

Moves come by sockets that are read in every round of the loop; a request can only delay them by what is computed for it
between two of its awaits. So requests begin one in a round, however many arrive at once; those whose budget says that
they are heavy are only a few at a time; and what would compute for longer still is written as a generator and done a
few milliseconds at a time, one step in a round for the whole server. Threads would not help, as they share the
interpreter; what leaves it (argon2, drawing) has a thread and a process of its own, one job at a time.
"""

import asyncio
from collections.abc import AsyncIterator, Generator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final, TypeVar

from aiohttp import web
from aiohttp.typedefs import Handler

from server.web.limits import BUDGET
from server.web.problems import Problem

MOST_AT_ONCE: Final = 4
"""Heavy requests: one computes while others wait for the store."""
MOST_WAITING: Final = 200
STEP_S: Final = 0.002
"""A generator is asked for so long at most before others have their turn."""

Made = TypeVar("Made")


@dataclass(slots=True)
class HeavyWork:
    """The turns of one site. `waiting` counts the heavy requests that have not begun."""

    waiting: int = 0
    _begin: asyncio.Lock = field(default_factory=asyncio.Lock)
    _step: asyncio.Lock = field(default_factory=asyncio.Lock)
    _places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MOST_AT_ONCE))

    async def begin(self) -> None:
        """Returns when it is this request's turn to begin, in a round of the loop that no other begins in."""
        async with self._begin:
            await asyncio.sleep(0)

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """One of the few places of heavy requests. Raises Problem (503) when too many wait for one."""
        if self.waiting >= MOST_WAITING:
            raise Problem(503, "busy", "The server has much to do at this moment. Try again soon.", retry_after=2)
        self.waiting += 1
        try:
            await self._places.acquire()
        finally:
            self.waiting -= 1
        try:
            yield
        finally:
            self._places.release()

    async def in_steps(self, steps: Generator[object, None, Made], rest_s: float = 0) -> Made:
        """What `steps` returns, worked out a few milliseconds at a time; after each it rests for `rest_s`."""
        while True:
            async with self._step:
                rest_at = perf_counter() + STEP_S
                try:
                    while perf_counter() < rest_at:
                        next(steps)
                except StopIteration as end:
                    made: Made = end.value
                    return made
                await asyncio.sleep(0)
            if rest_s:
                await asyncio.sleep(rest_s)


HEAVY: Final = web.AppKey("HEAVY", HeavyWork)


@web.middleware
async def in_turn(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Every request begins in its turn; a heavy one also waits for a place, which it keeps until it is answered."""
    heavy = request.app[HEAVY]
    await heavy.begin()
    if not request[BUDGET].heavy:
        return await handler(request)
    async with heavy.place():
        return await handler(request)
