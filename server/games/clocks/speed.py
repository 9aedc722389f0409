"""Game speeds, from bullet to unlimited: each has ratings of its own."""

from enum import StrEnum
from typing import Final, assert_never

from server.games.clocks.time_control import ClockKind, TimeControl
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
"""Estimated time per side below which a game has that speed: the limits of lichess."""


def speed_for(estimate_ms: float) -> Speed:
    """The speed of a real-time game in which a side is expected to use `estimate_ms`."""
    return next((speed for below, speed in BELOW_MS if estimate_ms < below), Speed.CLASSICAL)


def speed_of(control: TimeControl) -> Speed:
    """The speed of a time control, by initial + 40 * increment; with time odds, by the mean of both sides."""
    match control.kind:
        case ClockKind.REALTIME:
            return speed_for(sum(control.estimate_ms(color) for color in Color) / 2)
        case ClockKind.CORRESPONDENCE:
            return Speed.CORRESPONDENCE
        case ClockKind.UNLIMITED:
            return Speed.UNLIMITED
        case _:
            assert_never(control.kind)
