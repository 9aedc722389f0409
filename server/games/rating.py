"""Glicko-2 ratings, one game at a time.

Source: Mark Glickman, "Example of the Glicko-2 system", http://www.glicko.net/glicko/glicko2.pdf. The paper rates all
games of a rating period together. Like lichess and pychess, we rate each game when it ends and count time in fractions
of a period, so that the deviation grows with the days, not with the games.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

MIDDLE: Final = 1500.0
SCALE: Final = 173.7178
"""Points of the visible scale per point of Glickman's."""
TAU: Final = 0.5
"""How much volatilities change; the paper finds 0.3 to 1.2 reasonable, and 0.5 is what its example has.

lichess has 0.75. Where each game is rated by itself that makes no odds: less than a tenth of a point in 400 games."""
VOLATILITY_EPSILON: Final = 0.000_001
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

    value: float = MIDDLE
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
    mu, phi = _mu(mine), mine.deviation / SCALE
    precision = surplus = 0.0
    for opponent, score in results:
        weight = 1 / math.sqrt(1 + 3 * (opponent.deviation / SCALE / math.pi) ** 2)
        expected = 1 / (1 + math.exp(-weight * (mu - _mu(opponent))))
        precision += weight**2 * expected * (1 - expected)
        surplus += weight * (score - expected)
    variance = 1 / precision
    volatility = _new_volatility(mine.volatility, phi, variance, delta=variance * surplus)
    before = _grown(replace(mine, volatility=volatility), periods) / SCALE
    after = 1 / math.sqrt(1 / before**2 + precision)
    return replace(mine, value=mine.value + SCALE * after**2 * surplus, deviation=SCALE * after, volatility=volatility)


def _mu(rating: Rating) -> float:
    """The rating on Glickman's scale."""
    return (rating.value - MIDDLE) / SCALE


def _new_volatility(volatility: float, phi: float, variance: float, delta: float) -> float:
    """Step 5: the root of the paper's function, found by the Illinois algorithm, whose letters are the paper's."""
    a = math.log(volatility**2)

    def f(x: float) -> float:
        square = math.exp(x)
        spread = phi**2 + variance + square
        return square * (delta**2 - spread) / (2 * spread**2) - (x - a) / TAU**2

    low = a
    if delta**2 > phi**2 + variance:
        high = math.log(delta**2 - phi**2 - variance)
    else:
        high = a - TAU
        while f(high) < 0:
            high -= TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > VOLATILITY_EPSILON:
        between = low + (low - high) * at_low / (at_high - at_low)
        at_between = f(between)
        if at_between * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, at_between
    return math.exp(low / 2)


def _periods(rating: Rating, now: int) -> float:
    return max(0, now - rating.at) / PERIOD_MS if rating.games else 0.0


def _grown(rating: Rating, periods: float) -> float:
    return min(MAX_DEVIATION, math.hypot(rating.deviation, rating.volatility * SCALE * math.sqrt(periods)))
