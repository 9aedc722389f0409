"""How much of a player's network delay is given back: a quota that fills with every move and is spent by lag.

All amounts are milliseconds. The formula is lichess's (scalachess `LagTracker`; facts, not code): a game that
lasts an estimated E seconds gains min(1000, 10 * floor(2E / 5) + 150) ms a move, begins with three gains and never
holds more than seven. Lag is what the server measured, never what a client says, and two bounds are ours: see
`measured`. Knows neither clocks nor colours.
"""

from dataclasses import dataclass

LAG_CAP_MS = 500
"""No single move gets more than this back, whatever was measured."""
JITTER_MS = 140
"""The quota gains at most the measured round trip and this: who has a quick line cannot hoard for one slow move."""
MAX_GAIN_MS = 1_000
START_GAINS = 3
MAX_GAINS = 7


@dataclass(frozen=True, slots=True)
class Quota:
    """`gain_ms` is added with every move; `left_ms` can be given back now."""

    gain_ms: int
    left_ms: int

    @classmethod
    def of(cls, estimate_ms: int) -> "Quota":
        """The quota at the start of a game in which one side is expected to use `estimate_ms`."""
        gain = min(MAX_GAIN_MS, 10 * (2 * estimate_ms // 5_000) + 150)
        return cls(gain, START_GAINS * gain)

    @classmethod
    def none(cls) -> "Quota":
        """Nothing is ever given back (no clock, or one of days)."""
        return cls(0, 0)

    def spend(self, lag_ms: int, gain_ms: int | None = None) -> tuple[int, "Quota"]:
        """Give back as much of `lag_ms` as the quota holds, then refill it by `gain_ms` (default: the full gain)."""
        gain = self.gain_ms if gain_ms is None else min(gain_ms, self.gain_ms)
        given = min(lag_ms, self.left_ms)
        left = min(self.left_ms + gain - given, MAX_GAINS * self.gain_ms)
        return given, Quota(self.gain_ms, left)

    def measured(self, lag_ms: int, elapsed_ms: int) -> tuple[int, "Quota"]:
        """`spend` within the server's own bounds: at most LAG_CAP_MS and the time that passed, and a gain that
        follows the measured round trip."""
        lag = max(0, min(lag_ms, LAG_CAP_MS))
        return self.spend(min(lag, elapsed_ms), lag + JITTER_MS)

    @property
    def grace_ms(self) -> int:
        """The most that a move arriving now could get back: so long a flag must wait."""
        return min(self.left_ms, LAG_CAP_MS)
