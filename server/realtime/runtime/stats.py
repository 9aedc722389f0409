"""What a process counts about itself, for its host; it contains no names.

Everything is a number incremented in place: counting a move allocates nothing.
"""

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from typing import Final

BOUNDS_MS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 20_000)


class Histogram:
    """How long something took. `counts[i]` took up to BOUNDS_MS[i] ms, the last count longer."""

    __slots__ = ("counts", "total_ms")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS_MS) + 1)
        self.total_ms = 0

    def add(self, ms: int) -> None:
        """Counts a duration of `ms`."""
        self.counts[bisect_left(BOUNDS_MS, ms)] += 1
        self.total_ms += ms


@dataclass(slots=True)
class Stats:
    """Counts since the start."""

    commands: int = 0
    moves: int = 0
    failed: int = 0
    resumes: int = 0
    snapshots: int = 0
    rate_limited: int = 0
    """Messages over the limit of their connection."""
    late_on_turn: int = 0
    """How often a client was slow on its own turns only (`round_subscribers.LagMeter`)."""
    stalls: int = 0
    longest_stall_ms: int = 0
    busy_limits: int = 0
    """How often a player reached the limit of time given back because the server was overloaded."""
    store_errors: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """Refused commands, by the code of the answer."""
    acknowledged: Histogram = field(default_factory=Histogram)
    """From the arrival of a move to its acknowledgement."""
    stored: Histogram = field(default_factory=Histogram)
    """How long the store took to write a game."""
