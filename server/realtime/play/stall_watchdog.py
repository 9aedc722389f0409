"""Notices when this process has stalled, and gives the players that time back.

All of it if the machine had stopped the process, which no player can cause. If the process was overloaded, only within
the limit of the game's clock, as a player could overload it on their own turns.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from server.realtime.play.rounds import Rounds

log = logging.getLogger(__name__)

BEAT_S: Final = 0.1
STALL_MS: Final = 250
"""Stalls from this length on are given back: shorter ones go unnoticed, and every change is sent to all."""
STOPPED: Final = 0.1
"""A process that got less than this share of a processor during a stall was stopped, not busy."""
NOTED_MS: Final = 100
"""Stalls from this length on are logged."""


class StallWatchdog:
    """Watches the event loop of a process. `processor_s` returns the CPU seconds that it has used."""

    __slots__ = ("_beat_at", "_processor_s", "_rounds", "_used_s")

    def __init__(self, rounds: Rounds, processor_s: Callable[[], float] = time.process_time) -> None:
        self._rounds = rounds
        self._processor_s = processor_s
        self._beat_at = 0
        self._used_s = 0.0

    def start(self) -> None:
        """Starts watching.

        It uses a plain timer of the loop, which runs before the commands that have piled up are decided.
        """
        self._watch_from(self._rounds.services.now())

    def _watch_from(self, now: int) -> None:
        self._beat_at = now
        self._used_s = self._processor_s()
        asyncio.get_running_loop().call_later(BEAT_S, self._beat)

    def _beat(self) -> None:
        now = self._rounds.services.now()
        late = now - self._beat_at - int(BEAT_S * 1000)
        if late > NOTED_MS:
            log.warning("the server stood still for %d ms", late)
            stats = self._rounds.services.stats
            stats.stalls += 1
            stats.longest_stall_ms = max(stats.longest_stall_ms, late)
        if late > STALL_MS:
            busy = (self._processor_s() - self._used_s) * 1000 > STOPPED * late
            for one in self._rounds:
                one.credit_stall(late, busy=busy)
        if not self._rounds.stopping:
            # From the beginning of this: giving back takes time, too, and may itself be interrupted.
            self._watch_from(now)
