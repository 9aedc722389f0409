"""The one source of time in a process.

The wall clock is read once; from then on a monotonic clock counts. So a step of the wall clock (NTP, an administrator,
a leap second) does not move a player's clock, and yet times mean the same in another process and after a restart.
Nothing else in the server may read a clock: whoever needs the time gets a `Now`.

Servers that share a store take the time from it, not from their own wall clocks: one of them reads the game clocks that
another has started.
"""

import time


class Now:
    """Calling it returns the ms since 1970, never less than the call before.

    `known`: the current time; None: that of this machine's wall clock.
    """

    def __init__(self, known: int | None = None) -> None:
        self._anchor = (time.time_ns() if known is None else known * 1_000_000) - time.monotonic_ns()

    def __call__(self) -> int:
        return (self._anchor + time.monotonic_ns()) // 1_000_000
