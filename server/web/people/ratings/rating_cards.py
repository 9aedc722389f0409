"""The ratings of a player as cards: the rating, a small line of its latest changes, and what the last month did to it.

Pure; knows no markup.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from server.games.clocks.time_control import DAY_MS
from server.games.rating import Rating
from server.storage.protocols.ratings import Category, Perf, RatingChange

MOST: Final = 6
"""Cards; the table has every rating."""
LATEST: Final = 20
"""Games on a line."""
MONTH_MS: Final = 30 * DAY_MS
WIDTH: Final = 100
HEIGHT: Final = 32
EDGE: Final = 3


@dataclass(frozen=True, slots=True)
class RatingCard:
    """`rating`: as of now. `line`: the points of an SVG polyline, WIDTH by HEIGHT. `gained`: points within a month."""

    category: Category
    rating: Rating
    line: str
    gained: int


def most_played(rated: Sequence[Perf]) -> Sequence[Perf]:
    """Those that get a card: the ones with most rated games."""
    return sorted(rated, key=lambda one: -one.rating.games)[:MOST]


def card_of(perf: Perf, history: Sequence[RatingChange], now: int) -> RatingCard:
    """`history`: their latest changes in that category, the oldest first; `now` in ms."""
    month = [change for change in history if change.at > now - MONTH_MS]
    gained = round(month[-1].after - month[0].before) if month else 0
    return RatingCard(perf.category, perf.rating.aged(now), line_of(history), gained)


def line_of(history: Sequence[RatingChange]) -> str:
    """A level line if there are no changes."""
    values = [history[0].before, *(change.after for change in history)] if history else [0.0, 0.0]
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    flat = high == low
    points = [
        (
            round(WIDTH * number / (len(values) - 1), 1),
            HEIGHT / 2 if flat else round(HEIGHT - EDGE - (value - low) / span * (HEIGHT - 2 * EDGE), 1),
        )
        for number, value in enumerate(values)
    ]
    return " ".join(f"{x},{y}" for x, y in points)
