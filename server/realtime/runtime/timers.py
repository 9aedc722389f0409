"""The clock and all timers of a process. Nothing else in the server may read a clock.

The timers are in one heap, watched by one task. A due timer calls a function, which must not wait but may spawn a task.
Setting and clearing are cheap: a cleared entry stays in the heap until its time comes, or until such dead entries are
the majority.
"""

import asyncio
import heapq
import logging
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final


class Now:
    """The one source of time in a process: calling it returns the ms since 1970, never less than the call before.

    The wall clock is read once; from then on a monotonic clock counts. So a step of the wall clock (NTP, an
    administrator, a leap second) does not move a player's clock, and yet times mean the same in another process and
    after a restart.

    `known`: the current time; None: that of this machine's wall clock. Servers that share a store take it from that,
    not from their own wall clocks: one of them reads the game clocks that another has started.
    """

    def __init__(self, known: int | None = None) -> None:
        self._anchor = (time.time_ns() if known is None else known * 1_000_000) - time.monotonic_ns()

    def __call__(self) -> int:
        return (self._anchor + time.monotonic_ns()) // 1_000_000


log = logging.getLogger(__name__)

LONGEST_SLEEP: Final = 3600.0
SPARE: Final = 64
"""Fewer dead entries than this are not swept."""


@dataclass(eq=False, slots=True)
class _Entry:
    key: Hashable
    call: Callable[[], None] | None


class Timers:
    """At most one timer per key."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._heap: list[tuple[int, int, _Entry]] = []
        """Each with its time and its number, by which it is sorted."""
        self._entries: dict[Hashable, _Entry] = {}
        self._order = 0
        self._sooner = asyncio.Event()

    def __len__(self) -> int:
        return len(self._entries)

    def set(self, key: Hashable, at: int, call: Callable[[], None]) -> None:
        """Sets the timer of `key`, replacing an earlier one: `call` is called at `at` (ms)."""
        self.clear(key)
        self._order += 1
        entry = _Entry(key, call)
        self._entries[key] = entry
        heapq.heappush(self._heap, (at, self._order, entry))
        if self._heap[0][2] is entry:
            self._sooner.set()

    def clear(self, key: Hashable) -> None:
        """Clears the timer of `key`, if there is one."""
        entry = self._entries.pop(key, None)
        if entry is not None:
            entry.call = None
            if len(self._heap) > 2 * len(self._entries) + SPARE:
                self._heap = [one for one in self._heap if one[2].call is not None]
                heapq.heapify(self._heap)

    def fire_due(self) -> int | None:
        """Fires everything that is due. Returns the time (ms) of the next timer; None if there is none."""
        while self._heap and (self._heap[0][2].call is None or self._heap[0][0] <= self._now()):
            entry = heapq.heappop(self._heap)[2]
            if entry.call is not None:
                del self._entries[entry.key]
                try:
                    entry.call()
                except Exception:
                    log.exception("a timer failed: %r", entry.key)
        return self._heap[0][0] if self._heap else None

    async def run(self) -> None:
        """Fires timers until cancelled."""
        while True:
            self._sooner.clear()
            coming = self.fire_due()
            seconds = LONGEST_SLEEP if coming is None else (coming - self._now() + 1) / 1000
            try:
                async with asyncio.timeout(min(seconds, LONGEST_SLEEP)):
                    await self._sooner.wait()
            except TimeoutError:
                continue
