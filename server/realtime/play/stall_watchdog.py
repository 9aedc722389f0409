"""Notices when this process stood still for a moment, and gives the players that moment back.

All of it if the machine had stopped the process, which no player can do; if the process was busy, only within the
limit of the game's clock, as a player could keep it busy on their own turns.
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
"""What is given back; a shorter stall is less than a player sees, and every change of the clocks is told to all."""
STOPPED: Final = 0.1
"""A process that was given less of a stall than this share of one processor was stopped from outside, not busy."""
NOTED_MS: Final = 100
"""What is written down: on the way to a stall that players see."""


class StallWatchdog:
    """Watches the event loop of one process; `processor_s` gives the seconds of processor time that it has used."""

    __slots__ = ("_beat_at", "_processor_s", "_rounds", "_used_s")

    def __init__(self, rounds: Rounds, processor_s: Callable[[], float] = time.process_time) -> None:
        self._rounds = rounds
        self._processor_s = processor_s
        self._beat_at = 0
        self._used_s = 0.0

    def start(self) -> None:
        """Watch from now on.

        By a plain timer of the loop: it must run before the commands that piled up meanwhile are decided.
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
            # From when this began: giving back takes time too, and may itself be stopped in the middle.
            self._watch_from(now)
