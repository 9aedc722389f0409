"""When Python looks for garbage that refers to itself: among what is new, and hardly ever among games in play.

Most of what a server lets go dies at once, as soon as nothing refers to it. Only values that refer to each other in a
ring wait for the collector, and it finds them by walking through everything. By its own defaults it walked through all
live games every few seconds (140 ms for 400 games, and all of them waited); knows nothing of what it walks through.
"""

import gc
from typing import Final

SWEEP_EVERY_S: Final = 3600.0

NEW: Final = 20_000
"""So many more values than before, and the new ones are looked through (with 400 fast games every 2 s, for 30 ms)."""
YOUNG: Final = 5
"""After so many looks, those that had stayed are looked through again (at most some tens of ms)."""
NEVER: Final = 1_000_000
"""The old ones are left to `sweep`."""


def pause() -> None:
    """While everything is built nothing is garbage: to look for it would be half of the time that it takes."""
    gc.disable()


def settle() -> None:
    """What is built now stays as long as the process, some 200,000 values: it is never walked through again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW, YOUNG, NEVER)
    gc.enable()


async def sweep() -> None:
    """Look through everything. All games stand still meanwhile, and get that time back."""
    gc.collect()
