"""The history of a rating as a chart: where its line and marks go. Pure; knows no markup and no store.

The chart is `WIDTH` by `HEIGHT` units and scales with the page. Games are evenly spaced: people want to see the effect
of each game, not when they were on holiday.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from server.storage.protocols.ratings import RatingChange

WIDTH: Final = 400
HEIGHT: Final = 190
LEFT: Final = 50
"""Room for the numbers of the scale."""
EDGE: Final = 12
MIN_STEP: Final = 10
MAX_LINES: Final = 6


@dataclass(frozen=True, slots=True)
class GridLine:
    """A line across the chart at a round rating."""

    value: int
    y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """`line` holds the points of an SVG polyline. `end` is where the last of them is."""

    line: str
    marks: Sequence[GridLine]
    end: tuple[float, float]


def chart_of(history: Sequence[RatingChange]) -> Chart | None:
    """The chart of a history, oldest game first; None if there is nothing to see yet."""
    if not history:
        return None
    values = [history[0].before, *(change.after for change in history)]
    step = _step(min(values), max(values))
    bottom = int(min(values) // step * step)
    top = int(-(-max(values) // step) * step)
    if top == bottom:
        top += step
    points = [(_x(number, len(values)), _y(value, bottom, top)) for number, value in enumerate(values)]
    marks = [GridLine(value, _y(value, bottom, top)) for value in range(bottom, top + 1, step)]
    return Chart(" ".join(f"{x},{y}" for x, y in points), marks, points[-1])


def _step(low: float, high: float) -> int:
    """The distance between two lines: 1, 2 or 5 times a power of ten, so that there are few whatever the span."""
    least = max((high - low) / (MAX_LINES - 2), MIN_STEP)
    power: int = 10 ** math.floor(math.log10(least))
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= least)


def _x(number: int, count: int) -> float:
    return round(LEFT + number / (count - 1) * (WIDTH - LEFT - EDGE), 1)


def _y(value: float, bottom: int, top: int) -> float:
    return round(HEIGHT - EDGE - (value - bottom) / (top - bottom) * (HEIGHT - 2 * EDGE), 1)
