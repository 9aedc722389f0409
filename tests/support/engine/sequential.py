"""A sequential test of a match: after each game it is known whether more are needed. Plain arithmetic.

Wald's test in the form that programs for chess engines use: the score of a game has the mean and the spread that were
observed, and two means are compared.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import log, sqrt

SURE = log(19)
"""Five wrong verdicts in a hundred."""
FEWEST = 8
"""Games before which nothing is said."""
SPREAD = 0.05
"""The least variance of a game that is believed: a side that has won every time may still lose."""


@dataclass
class Match:
    """What one side scored, and whether that is rather `much` of each game than `little`."""

    little: float
    much: float
    scores: list[float] = field(default_factory=list)

    @property
    def games(self) -> int:
        return len(self.scores)

    @property
    def share(self) -> float:
        """Of the points, from 0 to 1."""
        return sum(self.scores) / self.games if self.scores else 0.5

    @property
    def margin(self) -> float:
        """Half of the interval in which the share is in 19 cases of 20."""
        return 1.96 * sqrt(self._variance / self.games) if self.scores else 0.5

    @property
    def verdict(self) -> bool | None:
        """True: much; False: little; None: nobody knows yet."""
        if self.games < FEWEST:
            return None
        likelihood = (
            self.games * (self.much - self.little) * (2 * self.share - self.much - self.little) / (2 * self._variance)
        )
        return None if abs(likelihood) < SURE else likelihood > 0

    @property
    def _variance(self) -> float:
        return max(SPREAD, sum((score - self.share) ** 2 for score in self.scores) / self.games)

    def take(self, scores: Iterable[float]) -> "Match":
        """Adds games until they are enough; `scores` is asked for no more of them than needed."""
        for score in scores:
            self.scores.append(score)
            if self.verdict is not None:
                break
        return self
