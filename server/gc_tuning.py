"""When Python collects reference cycles: often among new objects, hardly ever among games in play.

Most objects are freed at once, as soon as nothing refers to them. Only cycles wait for the collector, which finds them
by walking through every object. With its defaults it walked through all live games every few seconds (140 ms for 400
games, all of which waited). Knows nothing of the objects it walks through.
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
"""Collect the youngest generation after this many new objects (with 400 fast games, every 2 s for 30 ms)."""
YOUNG: Final = 5
"""Collect the middle generation after this many of those collections (some tens of ms at most)."""
NEVER: Final = 1_000_000
"""Practically never: the oldest generation is left to `Sweeper`."""


def pause() -> None:
    """Stops the collector while modules are loaded and the server is built: hardly anything is garbage then, and
    looking would add a tenth to the former and double the latter."""
    gc.disable()


def resume() -> None:
    """Goes on with Python's own settings."""
    gc.enable()


def settle() -> None:
    """Exempts what is built by now, some 200,000 objects, from collection: it lives as long as the process.

    So does what loading the modules has left, 0.8 MB: looking for that would make the start an eighth longer.
    """
    gc.freeze()
    gc.set_threshold(NEW, YOUNG, NEVER)
    gc.enable()


def resident() -> int:
    """Resident memory of this process in bytes; 0 on systems other than Linux."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


class Sweeper:
    """Runs full collections, regularly and when memory has grown. All games stand still meanwhile (140 ms for 400 of
    them), so each sweep is followed by a rest a thousand times as long.
    """

    def __init__(self, memory: Callable[[], int] = resident, clock: Callable[[], float] = monotonic) -> None:
        self._memory = memory
        self._clock = clock
        self._kept = memory()
        self._rests_until = 0.0

    async def look(self) -> None:
        """Sweeps if memory has grown by GROWN since the last sweep. Call it every LOOK_EVERY_S."""
        if self._memory() - self._kept >= GROWN and self._clock() >= self._rests_until:
            await self.sweep()

    async def sweep(self) -> None:
        """Runs a full collection unless it is still resting. Call it every SWEEP_EVERY_S."""
        began = self._clock()
        gc.collect()
        ended = self._clock()
        self._rests_until = ended + REST * (ended - began)
        self._kept = self._memory()
