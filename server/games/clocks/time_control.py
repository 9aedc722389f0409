"""Time controls: what players agree on before a game, and which speed it is then. What a clock shows is for `clock`."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar, assert_never

from server.games.errors import BadClock
from server.rules.variant.pieces import Color

DAY_MS = 24 * 60 * 60 * 1_000
MAX_INITIAL_MS = 3 * 60 * 60 * 1_000
MAX_INCREMENT_MS = 3 * 60 * 1_000
DAYS = (1, 2, 3, 5, 7, 10, 14)
BANK_DAYS: Final = ((10, 1, 30), (30, 1, 45), (30, 3, 60))
"""The time banks that players may choose: days at the start, days after each own move, and the most days."""
EXPECTED_MOVES = 40
"""Moves per side when the length of a game is estimated, as on lichess."""

PerSide = tuple[int, int]
"""One number for White and one for Black."""
Value = TypeVar("Value")


class ClockKind(StrEnum):
    REALTIME = "realtime"
    CORRESPONDENCE = "correspondence"
    UNLIMITED = "unlimited"


def for_color(values: tuple[Value, Value], color: Color) -> Value:
    """The value of `color`."""
    return values[1] if color is Color.BLACK else values[0]


def with_color(values: tuple[Value, Value], color: Color, value: Value) -> tuple[Value, Value]:
    """`values` with `value` for `color`."""
    return (value, values[1]) if color is Color.WHITE else (values[0], value)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Initial time and increment of each side (ms), or days per move, or no limit.

    Make one by `realtime`, `correspondence`, `bank` or `unlimited`; `validate` says whether players may ask for it.
    `cap_ms`: the most that a time bank holds; None: it is not a time bank.
    """

    kind: ClockKind
    initial_ms: PerSide = (0, 0)
    increment_ms: PerSide = (0, 0)
    days: int | None = None
    cap_ms: int | None = None

    @classmethod
    def realtime(
        cls,
        initial_ms: int,
        increment_ms: int,
        black_initial_ms: int | None = None,
        black_increment_ms: int | None = None,
    ) -> "TimeControl":
        """The same for both sides unless Black's own times are given (time odds)."""
        black_initial = initial_ms if black_initial_ms is None else black_initial_ms
        black_increment = increment_ms if black_increment_ms is None else black_increment_ms
        return cls(ClockKind.REALTIME, (initial_ms, black_initial), (increment_ms, black_increment))

    @classmethod
    def correspondence(cls, days: int) -> "TimeControl":
        """So many days for each move."""
        return cls(ClockKind.CORRESPONDENCE, days=days)

    @classmethod
    def bank(cls, initial: int, increment: int, cap: int) -> "TimeControl":
        """A time bank for each side: days at the start, days after each own move, and the most days it may hold."""
        each, more = initial * DAY_MS, increment * DAY_MS
        return cls(ClockKind.CORRESPONDENCE, (each, each), (more, more), cap_ms=cap * DAY_MS)

    @classmethod
    def unlimited(cls) -> "TimeControl":
        """No clock at all."""
        return cls(ClockKind.UNLIMITED)

    def validate(self) -> None:
        """Raises BadClock for a time control that nobody may ask for."""
        if self.cap_ms is not None and self not in BANKS:
            raise BadClock("clock_bank", banks=", ".join("{}+{}/{}".format(*days) for days in BANK_DAYS))
        if self.by_days and self.cap_ms is None and self.days not in DAYS:
            raise BadClock("clock_days", days=", ".join(map(str, DAYS)))
        if self.kind is ClockKind.REALTIME:
            for initial, increment in zip(self.initial_ms, self.increment_ms, strict=True):
                if not 0 <= initial <= MAX_INITIAL_MS:
                    raise BadClock("clock_initial", minutes=MAX_INITIAL_MS // 60_000)
                if not 0 <= increment <= MAX_INCREMENT_MS:
                    raise BadClock("clock_increment", seconds=MAX_INCREMENT_MS // 1000)
                if initial == increment == 0:
                    raise BadClock("clock_empty")

    @property
    def by_the_minute(self) -> bool:
        """Do the players sit at the board while the game goes on?"""
        return self.kind is ClockKind.REALTIME

    @property
    def by_days(self) -> bool:
        """Do the players have days for each move, so that nobody waits at the board?"""
        return self.kind is ClockKind.CORRESPONDENCE

    @property
    def keeps_time(self) -> bool:
        """Does a side keep the time that it has left after a move? It does on a real-time clock and in a time bank."""
        return self.by_the_minute or self.cap_ms is not None

    @property
    def bank_days(self) -> tuple[int, int, int] | None:
        """The three numbers that `bank` makes it of; None if it is no time bank."""
        if self.cap_ms is None:
            return None
        return self.initial_ms[0] // DAY_MS, self.increment_ms[0] // DAY_MS, self.cap_ms // DAY_MS

    @property
    def has_odds(self) -> bool:
        """Has one side more time than the other?"""
        return self.initial_ms[0] != self.initial_ms[1] or self.increment_ms[0] != self.increment_ms[1]

    def turn_ms(self, color: Color) -> int | None:
        """What `color`'s clock shows at the start of the game, or of a correspondence turn (ms); None without limit.

        With no initial time it is one increment: otherwise the first timed turn would be lost at once.
        """
        match self.kind:
            case ClockKind.REALTIME:
                return for_color(self.initial_ms, color) or for_color(self.increment_ms, color)
            case ClockKind.CORRESPONDENCE if self.cap_ms is not None:
                return for_color(self.initial_ms, color)
            case ClockKind.CORRESPONDENCE:
                return (self.days or 0) * DAY_MS
            case ClockKind.UNLIMITED:
                return None

    def after_move_ms(self, color: Color, left_ms: int) -> int:
        """What `color`'s clock shows after a move that left it `left_ms`."""
        if not self.keeps_time:
            return self.turn_ms(color) or 0
        left = left_ms + for_color(self.increment_ms, color)
        return left if self.cap_ms is None else min(left, self.cap_ms)

    def estimate_ms(self, color: Color) -> int:
        """How much time (ms) `color` is expected to use in the whole game; 0 unless it is a real-time clock."""
        if not self.by_the_minute:
            return 0
        return for_color(self.initial_ms, color) + EXPECTED_MOVES * for_color(self.increment_ms, color)


BANKS: Final = tuple(TimeControl.bank(*days) for days in BANK_DAYS)


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
