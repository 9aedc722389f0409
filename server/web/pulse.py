"""Whether the event loop keeps its time: a stall is felt by every player at once. Knows no request and no game."""

import asyncio
import logging
from dataclasses import dataclass, field
from time import monotonic

log = logging.getLogger(__name__)

BEAT = 0.25
"""Seconds between two looks."""
WORTH_A_LINE = 0.1
"""A stall of this many seconds is logged."""


@dataclass(slots=True)
class Pulse:
    """`worst` is the longest stall (s) since it was last taken, `beaten` the time of the last look."""

    worst: float = 0.0
    beaten: float = field(default_factory=monotonic)

    async def beat(self) -> None:
        """Looks for ever; run it as a task and cancel it."""
        while True:
            due = monotonic() + BEAT
            await asyncio.sleep(BEAT)
            self.beaten = monotonic()
            stall = self.beaten - due
            self.worst = max(self.worst, stall)
            if stall > WORTH_A_LINE:
                log.warning("the event loop stood still for %.0f ms", stall * 1000)

    def stalled(self) -> float:
        """Seconds by which the next look is overdue; 0 when all is well."""
        return max(0.0, monotonic() - self.beaten - BEAT)

    def take_worst(self) -> float:
        worst, self.worst = self.worst, 0.0
        return worst
