"""When Python looks for garbage that refers to itself: among what is new, and hardly ever among games in play.

Most of what a server lets go dies at once, as soon as nothing refers to it. Only values that refer to each other in a
ring wait for the collector, and it finds them by walking through everything. By its own defaults it walked through all
live games every few seconds (140 ms for 400 games, and all of them waited); knows nothing of what it walks through.
"""

import gc
import os
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Final

SWEEP_EVERY_S: Final = 3600.0
LOOK_EVERY_S: Final = 20.0
GROWN: Final = 32 * 2**20
"""Bytes."""
REST: Final = 1_000

NEW: Final = 20_000
"""After so many new values these are looked through (with 400 fast games every 2 s, for 30 ms)."""
YOUNG: Final = 5
"""After so many looks, those that had stayed are looked through again (at most some tens of ms)."""
NEVER: Final = 1_000_000
"""The old ones are left to `Sweeper`."""


def pause() -> None:
    """While everything is built nothing is garbage: to look for it would be half of the time that it takes."""
    gc.disable()


def settle() -> None:
    """What is built now stays as long as the process, some 200,000 values: it is never walked through again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW, YOUNG, NEVER)
    gc.enable()


def resident() -> int:
    """Bytes of memory that this process holds; 0 where the system does not say (it is Linux's to say)."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


class Sweeper:
    """Looks through everything: when memory has grown, and regularly. All games stand still meanwhile (140 ms for 400
    of them), so after each sweep it rests a thousand times as long as that took.
    """

    def __init__(self, memory: Callable[[], int] = resident, clock: Callable[[], float] = monotonic) -> None:
        self._memory = memory
        self._clock = clock
        self._kept = memory()
        self._rests_until = 0.0

    async def look(self) -> None:
        """Call it every LOOK_EVERY_S: sweeps if memory has grown by GROWN since the last sweep."""
        if self._memory() - self._kept >= GROWN and self._clock() >= self._rests_until:
            await self.sweep()

    async def sweep(self) -> None:
        """Call it every SWEEP_EVERY_S."""
        began = self._clock()
        gc.collect()
        ended = self._clock()
        self._rests_until = ended + REST * (ended - began)
        self._kept = self._memory()
