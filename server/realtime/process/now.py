"""The one source of time of a process. Knows nothing else.

The wall clock is read once; after that a monotonic clock carries it on. So a step of the wall clock (NTP, an
administrator, a leap second) moves no player's clock, and still the numbers mean something to another process
and after a restart. Nothing else in the server may read a clock: whoever needs the time is given a `Now`.

Servers that play together ask their store what time it is, and not their own walls: a clock that one of them started
is read by the others.
"""

import time


class Now:
    """Calling it gives the time in whole milliseconds since 1970, never less than the call before.

    `known`: what time it is; None: what this machine thinks.
    """

    __slots__ = ("_anchor",)

    def __init__(self, known: int | None = None) -> None:
        self._anchor = (time.time_ns() if known is None else known * 1_000_000) - time.monotonic_ns()

    def __call__(self) -> int:
        return (self._anchor + time.monotonic_ns()) // 1_000_000
