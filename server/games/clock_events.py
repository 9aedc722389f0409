"""The events in which a clock stands, goes on or is put right, other than by a move or the end of the game."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from server.games.clocks.time_control import for_color
from server.games.event_kind import EventKind
from server.games.state import Game
from server.rules.variant.pieces import Color


@dataclass(frozen=True, slots=True)
class ClockPaused(EventKind):
    tells: ClassVar = frozenset({"clock"})

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        paused = before.clock.paused_at is None and after.clock.paused_at is not None
        if paused and _clock_is_for_itself(before, after):
            yield cls()


@dataclass(frozen=True, slots=True)
class ClockResumed(EventKind):
    """The clocks run again, or would if nobody were on vacation: an adjournment or a pause is over."""

    tells: ClassVar = frozenset({"clock", "status", "adjourned", "away", "expires"})

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        resumed = before.clock.paused_at is not None and after.clock.paused_at is None
        goes_on = before.adjourned is not None and after.adjourned is None and after.outcome is None
        if goes_on or (resumed and _clock_is_for_itself(before, after)):
            yield cls()


@dataclass(frozen=True, slots=True)
class ClockAdjusted(EventKind):
    """The server stalled for `ms` and has given that time back."""

    tells: ClassVar = frozenset({"clock"})
    ms: int

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        given = after.clock.since - before.clock.since
        same_turn = after.clock.turn is before.clock.turn is not None and len(after.plies) == len(before.plies)
        as_paused = (before.clock.paused_at is None) == (after.clock.paused_at is None)
        if given > 0 and same_turn and as_paused and _clock_is_for_itself(before, after):
            yield cls(given)


@dataclass(frozen=True, slots=True)
class Away(EventKind):
    """`color` is on vacation until then (ms), and the clock stands; 0: they are back."""

    tells: ClassVar = frozenset({"away", "clock", "expires"})
    color: Color
    until: int

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        for color in Color if after.outcome is None else ():
            until = for_color(after.away, color)
            if until != for_color(before.away, color):
                yield cls(color, until)


ClockEvent = ClockPaused | ClockResumed | ClockAdjusted | Away


def _clock_is_for_itself(before: Game, after: Game) -> bool:
    """Does the clock differ for no reason that another event tells?"""
    adjourned = before.adjourned is not None or after.adjourned is not None
    return after.outcome is None and not adjourned and before.away == after.away
