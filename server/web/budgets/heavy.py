"""Where work that holds the event loop waits for its turn, so that a move never waits behind more than one piece of it.
Knows no page and no game.

Moves arrive on sockets that are read in every round of the loop; a request can delay them only by what it computes
between two of its awaits. So only a few requests with a heavy budget run at a time (the loop's throttle lets only one
of any kind start per round). Whatever would compute for longer is done in slices (`storage.time_slices`) or leaves the
interpreter: argon2 has a thread and drawing a process of its own, one job at a time.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakValueDictionary

from aiohttp import web
from aiohttp.typedefs import Handler

from server.web.budgets.limits import BUDGET
from server.web.rendering.problems import Problem

MAX_AT_ONCE: Final = 4
"""Heavy requests at a time: one computes while others wait for the store."""
MAX_WAITING: Final = 200


@dataclass(slots=True)
class HeavyWork:
    """The turns of one site. `waiting` counts the heavy requests that have not started."""

    waiting: int = 0
    _alone: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    _places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MAX_AT_ONCE))

    @asynccontextmanager
    async def place(self) -> AsyncIterator[None]:
        """Takes one of the few places for heavy requests. Raises Problem (503) if too many wait for one."""
        if self.waiting >= MAX_WAITING:
            raise Problem(503, "busy", retry_after=2)
        self.waiting += 1
        try:
            await self._places.acquire()
        finally:
            self.waiting -= 1
        try:
            yield
        finally:
            self._places.release()

    @asynccontextmanager
    async def alone(self, key: str) -> AsyncIterator[None]:
        """Runs the block while no other block with that key runs."""
        # The lock exists as long as somebody holds it or waits for it.
        async with self._alone.setdefault(key, asyncio.Lock()):
            yield


HEAVY: Final = web.AppKey("HEAVY", HeavyWork)


@web.middleware
async def in_turn(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Lets a heavy request wait for a place, which it keeps until it is answered."""
    heavy = request.app[HEAVY]
    if not request[BUDGET].heavy:
        return await handler(request)
    async with heavy.place():
        return await handler(request)
