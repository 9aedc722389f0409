"""Lag compensation: how much network delay a player gets back, from a quota that refills with every move.

All amounts are milliseconds. The formula is that of lichess (scalachess `LagTracker`): a game estimated to last E
seconds gains min(1000, 10 * floor(2E / 5) + 150) ms per move, starts with three gains and never holds more than seven.
Lag is what the server measured, never what a client claims. Two bounds are our own: see `measured`.
"""

from dataclasses import dataclass
from typing import Final

LAG_CAP_MS = 500
"""The most that a single move gets back."""
JITTER_MS = 140
"""The quota gains at most the measured round trip plus this, so a fast connection cannot save up for a slow move."""
MAX_GAIN_MS = 1_000
START_GAINS = 3
MAX_GAINS = 7


@dataclass(frozen=True, slots=True)
class Quota:
    """`gain_ms`: added with every move. `left_ms`: what can be given back now."""

    gain_ms: int
    left_ms: int

    @classmethod
    def of(cls, estimate_ms: int) -> "Quota":
        """The initial quota of a side that is expected to use `estimate_ms` in the whole game."""
        gain = min(MAX_GAIN_MS, 10 * (2 * estimate_ms // 5_000) + 150)
        return cls(gain, START_GAINS * gain)

    def spend(self, lag_ms: int, gain_ms: int) -> tuple[int, "Quota"]:
        """What is given back of `lag_ms`, and the quota after that, refilled by `gain_ms`, at most the full gain."""
        given = min(lag_ms, self.left_ms)
        left = min(self.left_ms + min(gain_ms, self.gain_ms) - given, MAX_GAINS * self.gain_ms)
        return given, Quota(self.gain_ms, left)

    def measured(self, lag_ms: int, elapsed_ms: int) -> tuple[int, "Quota"]:
        """`spend` within our bounds: at most LAG_CAP_MS and `elapsed_ms` are given back, and at most the measured
        lag and JITTER_MS are gained."""
        lag = max(0, min(lag_ms, LAG_CAP_MS))
        return self.spend(min(lag, elapsed_ms), lag + JITTER_MS)

    @property
    def grace_ms(self) -> int:
        """The most that a move arriving now could get back: a flag must wait that long."""
        return min(self.left_ms, LAG_CAP_MS)


NO_QUOTA: Final = Quota(0, 0)
"""For correspondence and untimed games: nothing is given back."""
