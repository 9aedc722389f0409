"""How fast a game is: the classes in which people are compared. Knows no rating."""

from enum import StrEnum
from typing import Final, assert_never

from server.games.clock import ClockKind, TimeControl
from server.rules.variant.pieces import Color


class Speed(StrEnum):
    """From the fastest to the slowest."""

    BULLET = "bullet"
    BLITZ = "blitz"
    RAPID = "rapid"
    CLASSICAL = "classical"
    CORRESPONDENCE = "correspondence"
    UNLIMITED = "unlimited"


RATED_SPEEDS: Final = tuple(speed for speed in Speed if speed is not Speed.UNLIMITED)
BELOW_MS: Final = ((180_000, Speed.BULLET), (480_000, Speed.BLITZ), (1_500_000, Speed.RAPID))
"""The estimated length per side at which the next class begins: the limits that lichess has."""


def speed_for(estimate_ms: float) -> Speed:
    """The class of a game by the minute in which a side is expected to use so much."""
    return next((speed for below, speed in BELOW_MS if estimate_ms < below), Speed.CLASSICAL)


def speed_of(control: TimeControl) -> Speed:
    """By what a side is expected to use, initial + 40 * increment; with time odds, by the mean of both sides."""
    match control.kind:
        case ClockKind.REALTIME:
            return speed_for(sum(control.estimate_ms(color) for color in Color) / 2)
        case ClockKind.CORRESPONDENCE:
            return Speed.CORRESPONDENCE
        case ClockKind.UNLIMITED:
            return Speed.UNLIMITED
        case _:
            assert_never(control.kind)
