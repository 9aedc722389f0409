"""Glicko-2 ratings, one game at a time.

Source: Mark Glickman, "Example of the Glicko-2 system", http://www.glicko.net/glicko/glicko2.pdf. The paper rates all
games of a rating period together. Like lichess and pychess, we rate each game when it ends and count time in fractions
of a period, so that the deviation grows with the days, not with the games.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import glicko2

SCALE: Final = 173.7178
"""Points of the visible scale per point of Glickman's."""
MIN_RATING: Final = 400.0
MIN_DEVIATION: Final = 45.0
MAX_DEVIATION: Final = 350.0
"""Bounds of the deviation: that of somebody who plays daily, and that of a newcomer."""
MAX_VOLATILITY: Final = 0.1
PROVISIONAL_ABOVE: Final = 110.0
"""Deviation above which a rating is provisional, as on lichess."""
PERIOD_MS: Final = 403_068_000
"""One rating period, 4.665 days: with the usual volatility a deviation of 60 grows to 110 in one year,
(110**2 - 60**2) / SCALE**2 / 0.06**2 = 78.24 periods."""
MIN_PLIES: Final = 4
"""Both sides have moved twice. A game given up earlier is no game, and too quick a way to give away points. A game that
ends on the board counts however short it is."""
OFF_THE_BOARD: Final = frozenset({"resign", "time", "left", "agreement", "forgiven"})
"""Endings that are possible in any position."""
NO_MORE: Final = 0
"""For `Rating.established_until`: already provisional."""


def long_enough(plies: int, reason: str) -> bool:
    """Does a rated game of `plies` half-moves that ended for `reason` change ratings?"""
    return plies >= MIN_PLIES or reason not in OFF_THE_BOARD


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating as of `at` (ms), when the last of `games` was rated. The default is a newcomer's."""

    value: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06
    games: int = 0
    at: int = 0

    @property
    def provisional(self) -> bool:
        """Is the deviation above PROVISIONAL_ABOVE? Such ratings are shown with a question mark."""
        return self.deviation > PROVISIONAL_ABOVE

    @property
    def rounded(self) -> int:
        """The rating as it is shown."""
        return round(self.value)

    @property
    def established_until(self) -> int:
        """When (ms) the rating becomes provisional unless they play; NO_MORE if it already is."""
        if self.provisional:
            return NO_MORE
        periods = (PROVISIONAL_ABOVE**2 - self.deviation**2) / (self.volatility * SCALE) ** 2
        return self.at + int(periods * PERIOD_MS)

    def aged(self, now: int) -> "Rating":
        """The rating at `now` (ms): its deviation grows while they do not play (step 6 of the paper)."""
        return replace(self, deviation=_grown(self, _periods(self, now)))


def rated(mine: Rating, opponent: Rating, score: float, now: int) -> Rating:
    """`mine` after a game that ended at `now` (ms) with `score`: 1 won, 0.5 drawn, 0 lost.

    `opponent`: the opponent's rating before it. Rounded as stored: to thousandths, the volatility to millionths.
    """
    after = after_period(mine, [(opponent.aged(now), score)], _periods(mine, now))
    return Rating(
        value=round(max(MIN_RATING, after.value), 3),
        deviation=round(min(max(after.deviation, MIN_DEVIATION), MAX_DEVIATION), 3),
        volatility=round(min(after.volatility, MAX_VOLATILITY), 6),
        games=mine.games + 1,
        at=max(mine.at, now),
    )


def after_period(mine: Rating, results: Sequence[tuple[Rating, float]], periods: float = 1.0) -> Rating:
    """Steps 2 to 8 of the paper for `results` of (opponent, score) in `periods` rating periods; not rounded."""
    player = _Player(mine, periods)
    opponents = [opponent for opponent, _ in results]
    player.update_player(
        [opponent.value for opponent in opponents],
        [opponent.deviation for opponent in opponents],
        [score for _, score in results],
    )
    return replace(mine, value=player.rating, deviation=player.rd, volatility=player.vol)


class _Player(glicko2.Player):  # type: ignore[misc]
    """The package's player with two steps corrected; its version is pinned for that reason."""

    rd: float
    vol: float

    def __init__(self, rating: Rating, periods: float) -> None:
        super().__init__(rating.value, rating.deviation, rating.volatility)
        self._periods = periods

    def _preRatingRD(self) -> None:  # noqa: N802
        """Step 6. The package always adds one whole period."""
        now = Rating(deviation=self.rd, volatility=self.vol)
        self.rd = _grown(now, self._periods)

    def _f(self, x: float, delta: float, v: float, a: float) -> float:
        """Step 5. The package has the rating where the paper has the deviation."""
        grown, spread = math.exp(x), (self.rd / SCALE) ** 2 + v
        tau: float = self._tau
        return grown * (delta**2 - spread - grown) / (2 * (spread + grown) ** 2) - (x - a) / tau**2


def _periods(rating: Rating, now: int) -> float:
    return max(0, now - rating.at) / PERIOD_MS if rating.games else 0.0


def _grown(rating: Rating, periods: float) -> float:
    return min(MAX_DEVIATION, math.hypot(rating.deviation, rating.volatility * SCALE * math.sqrt(periods)))
