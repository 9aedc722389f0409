"""Where work that holds the event loop waits for its turn, so that a move never waits behind more than one piece of it.

Moves arrive on sockets that are read in every round of the loop; a request can delay them only by what it computes
between two of its awaits. So only a few requests with a heavy budget run at a time (the loop's throttle lets only one
of any kind start per round). Whatever would compute for longer is done in slices (`storage.time_slices`) or leaves the
interpreter: argon2 has a thread and drawing a process of its own, one job at a time.

Places are shared fairly between networks. A flood comes from many addresses, but from few networks, or again and again
from the same: so whoever was served longest ago, or never, is served next, and when the queue is full, whoever has most
in it gives way. The widest networks are compared first, then narrower ones, then addresses. Among those who have had as
little, whoever needs least is first: so even who floods from many networks has to ask for little, which is soon done.
Knows no page and no game.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final
from weakref import WeakValueDictionary

from aiohttp import web
from aiohttp.typedefs import Handler

from server.realtime.runtime.limits import BoundedDict
from server.settings import Settings
from server.web.budgets.buckets import MAX_KEYS, networks
from server.web.budgets.callers import address_key
from server.web.budgets.limits import BUDGET
from server.web.rendering.problems import Problem

MAX_AT_ONCE: Final = 4
"""Heavy requests at a time: one computes while others wait for the store."""
MAX_WAITING: Final = 200


class QueueFull(Exception):
    """Too many wait, and whoever is told so has no less in the queue than others."""


Place = asyncio.Future[None]


@dataclass(frozen=True, slots=True, eq=False)
class Waiting:
    """One who waits: for which `keys`, from the widest network to the address. `first`: before all who are not.
    `stays`: as long as there are others to give way; `yields`: before those who do not. `size`: of what they need.
    """

    keys: Sequence[str]
    first: bool
    stays: bool
    yields: bool
    size: int
    number: int
    place: Place = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class FairQueue:
    """`at_once` places; `most` wait for one. `share`: what each may have of their sizes, which is all that there is."""

    def __init__(self, at_once: int, most: int, share: int = 0) -> None:
        self._free = at_once
        self._most = most
        self._share = share
        self._waiting: list[Waiting] = []
        self._served: BoundedDict[str, int] = BoundedDict(MAX_KEYS)
        self._number = 0

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)

    @asynccontextmanager
    async def place(
        self, caller: str, *, first: bool = False, stays: bool = False, yields: bool = False, size: int = 0
    ) -> AsyncIterator[None]:
        """Holds a place for `caller`, an address as `callers.address_key` writes it or any other key.

        `first`: before all who are not, such as people who are known. `stays`: in turn, but not turned away while there
        are others. `yields`: turned away before others of networks with as much in the queue. `size`: in any unit, how
        much it is for. Raises QueueFull, perhaps only while waiting.
        """
        self._number += 1
        await self._get_place(Waiting(networks(caller), first, stays or first, yields, size, self._number))
        try:
            yield
        finally:
            self._give_back()

    async def _get_place(self, waiting: Waiting) -> None:
        if self._free and not self._ready():
            self._free -= 1
            return self._note(waiting)
        self._waiting.append(waiting)
        self._turn_away()
        try:
            await waiting.place
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            elif waiting.place.done() and not waiting.place.cancelled() and not waiting.place.exception():
                self._give_back()
            raise

    def _turn_away(self) -> None:
        """Tells as many of those who wait that there are too many as are too many."""
        ready = self._ready()
        taken = sum(max(one.size, self._share) for one in ready)
        while len(ready) > self._most or taken > self._most * self._share > 0:
            loser = max(ready, key=self._weight(ready))
            ready.remove(loser)
            taken -= max(loser.size, self._share)
            self._waiting.remove(loser)
            loser.place.set_exception(QueueFull())

    def _weight(self, ready: Sequence[Waiting]) -> Callable[[Waiting], tuple[object, ...]]:
        inside = Counter(key for one in ready for key in frozenset(one.keys))

        def weight(one: Waiting) -> tuple[object, ...]:
            inside_by = (inside[key] for key in one.keys)
            served = (self._served.get(key, 0) for key in one.keys)
            # Size comes before who was served last, or whoever has begun would give way to each who has not. But who
            # has got something, and needs much more, may say so; and of those who keep to their share it comes after,
            # or a flood that asks for as little as can be would keep out all others.
            return (not one.stays, *inside_by, one.yields, max(one.size, self._share), *served, one.size, one.number)

        return weight

    def _ready(self) -> list[Waiting]:
        """Those who still wait: whoever was cancelled a moment ago takes themselves out of the queue."""
        return [one for one in self._waiting if not one.place.done()]

    def _give_back(self) -> None:
        self._free += 1
        if ready := self._ready():
            self._free -= 1
            chosen = min(ready, key=self._turn)
            self._waiting.remove(chosen)
            self._note(chosen)
            chosen.place.set_result(None)

    def _turn(self, one: Waiting) -> tuple[object, ...]:
        return (not one.first, *(self._served.get(key, 0) for key in one.keys), one.size, one.number)

    def _note(self, served: Waiting) -> None:
        for key in served.keys:
            self._served[key] = self._number


@dataclass(slots=True)
class HeavyWork:
    """The turns of one site."""

    settings: Settings
    _alone: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    _places: FairQueue = field(default_factory=lambda: FairQueue(MAX_AT_ONCE, MAX_WAITING))

    @asynccontextmanager
    async def place(self, caller: str) -> AsyncIterator[None]:
        """Takes one of the few places for heavy requests, in turn with other networks than that of `caller`.

        Raises Problem (503) if too many wait for one.
        """
        try:
            async with self._places.place(caller):
                yield
        except QueueFull:
            raise Problem(503, "busy", retry_after=2) from None

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
    async with heavy.place(address_key(request, heavy.settings)):
        return await handler(request)
