"""The clock of one game as a value. `now` is always an argument: integer ms of the server's one clock.

A clock stands still until both sides have moved once (`start`); after that exactly one side's time runs. The Fischer
increment is added after a move, never after the flag has fallen. A correspondence clock is full again at every turn, or
a time bank: it counts as a real-time clock does, in days, and never holds more than its cap. Neither gives anything
back for lag. An unlimited clock never starts.

No player pays for the server: `pause` and `resume` take out the time it was down, `credit` the time it stalled or
wrote to disk. Players can overload the server on purpose, so `credit_busy` gives a side back at most MAX_BUSY_MS per
game for that.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeVar

from server.games.errors import BadClock
from server.games.frozen import replace
from server.games.lag import NO_QUOTA, Quota
from server.rules.variant.pieces import Color

DAY_MS = 24 * 60 * 60 * 1_000
MAX_INITIAL_MS = 3 * 60 * 60 * 1_000
MAX_INCREMENT_MS = 3 * 60 * 1_000
DAYS = (1, 2, 3, 5, 7, 10, 14)
BANK_DAYS: Final = ((10, 1, 30), (30, 1, 45), (30, 3, 60))
"""The time banks that players may choose: days at the start, days after each own move, and the most days."""
MAX_BUSY_MS = 2_000
"""The most a side gets back per game because the server was overloaded: overloading it must never pay off."""
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
    return values[color.value]


def with_color(values: tuple[Value, Value], color: Color, value: Value) -> tuple[Value, Value]:
    """`values` with `value` for `color`."""
    return (value, values[1]) if color is Color.WHITE else (values[0], value)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Initial time and increment of each side (ms), or days per move, or no limit.

    Make one by `realtime`, `correspondence`, `bank` or `unlimited`; `validate` says whether players may ask for it.
    `cap_ms`: the most that a time bank holds; None: it is none.
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
        return cls(ClockKind.CORRESPONDENCE, days=days)

    @classmethod
    def bank(cls, initial: int, increment: int, cap: int) -> "TimeControl":
        """A time bank for each side: days at the start, days after each own move, and the most days it may hold."""
        each, more = initial * DAY_MS, increment * DAY_MS
        return cls(ClockKind.CORRESPONDENCE, (each, each), (more, more), cap_ms=cap * DAY_MS)

    @classmethod
    def unlimited(cls) -> "TimeControl":
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
        """Does what a side has left after a move stay on its clock? So it does by the minute and in a time bank."""
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


class FlagFell(Exception):  # noqa: N818 - an event of the game, not an error of the program
    """The move came after the mover's time had run out."""


@dataclass(frozen=True, slots=True)
class Clock:
    """`left_ms`: each side's time at the start of the turn. `turn`: whose time runs since `since`; None: not started.

    `given_ms`: lag given back so far. `busy_ms`: given back so far because the server was overloaded. `paused_at`: time
    after this instant does not count; None: the clock is not paused. `reminded`: the last of
    `reminders.SHARES` at which the side to move was reminded in this turn; 0: not yet.
    """

    control: TimeControl
    left_ms: PerSide
    quotas: tuple[Quota, Quota]
    given_ms: PerSide = (0, 0)
    busy_ms: PerSide = (0, 0)
    turn: Color | None = None
    since: int = 0
    paused_at: int | None = None
    reminded: int = 0

    @classmethod
    def of(cls, control: TimeControl) -> "Clock":
        """A clock that has not started."""
        left = (control.turn_ms(Color.WHITE) or 0, control.turn_ms(Color.BLACK) or 0)
        if not control.by_the_minute:
            return cls(control, left, (NO_QUOTA, NO_QUOTA))
        white, black = control.estimate_ms(Color.WHITE), control.estimate_ms(Color.BLACK)
        return cls(control, left, (Quota.of(white), Quota.of(black)))

    def start(self, color: Color, now: int) -> "Clock":
        """Starts `color`'s time. An unlimited clock stays as it is."""
        if self.control.kind is ClockKind.UNLIMITED:
            return self
        return replace(self, turn=color, since=now, paused_at=None if self.paused_at is None else now, reminded=0)

    def elapsed(self, now: int) -> int:
        """How much of this turn counts so far, ms. Never negative, even if the wall clock steps back."""
        end = now if self.paused_at is None else min(now, self.paused_at)
        return max(0, end - self.since)

    def remaining(self, color: Color, now: int) -> int | None:
        """What `color`'s clock shows at `now`, ms, never below 0; None without a limit."""
        if self.control.kind is ClockKind.UNLIMITED:
            return None
        left = for_color(self.left_ms, color)
        return max(0, left - self.elapsed(now)) if color is self.turn else left

    def press(self, now: int, lag_ms: int) -> tuple["Clock", int]:
        """The clock after the running side's move, received at `now`, and the ms given back for lag.

        `lag_ms` is the lag the server measured. The other side's time runs from `now`, but stays paused if the clock
        was. A clock that has not started is returned unchanged. Raises FlagFell if the time was over even with the lag
        given back.
        """
        mover = self.turn
        if mover is None:
            return self, 0
        elapsed = self.elapsed(now)
        given, quota = for_color(self.quotas, mover).measured(lag_ms, elapsed)
        left = for_color(self.left_ms, mover) - (elapsed - given)
        if left <= 0:
            raise FlagFell
        pressed = replace(
            self,
            left_ms=with_color(self.left_ms, mover, self.control.after_move_ms(mover, left)),
            quotas=with_color(self.quotas, mover, quota),
            given_ms=with_color(self.given_ms, mover, for_color(self.given_ms, mover) + given),
        )
        return pressed.start(mover.other, now), given

    def takeback(self, color: Color, now: int) -> "Clock":
        """The clock after a takeback, with `color` to move: the times stay, the turn changes.

        Days for each move are full again. Nothing changes if it was `color`'s turn anyway.
        """
        if self.turn is None or self.turn is color:
            return self
        left = self.left_ms
        if self.control.keeps_time:
            left = with_color(left, self.turn, max(0, for_color(left, self.turn) - self.elapsed(now)))
        return replace(self, left_ms=left).start(color, now)

    def pause(self, as_of: int) -> "Clock":
        """Time after `as_of` does not count until `resume`. A paused clock stays as it is."""
        return self if self.paused_at is not None else replace(self, paused_at=max(as_of, self.since))

    def pause_again(self, now: int) -> "Clock":
        """If it is paused, the pause counts from `now`: a time that is no turn, such as that for the first move, has
        begun while it stood.
        """
        return self if self.paused_at is None else replace(self, paused_at=now)

    def resume(self, now: int) -> "Clock":
        """Goes on from `now` with what was left at the pause, even if the wall clock was set back meanwhile."""
        if self.paused_at is None:
            return self
        return replace(self, since=now - (self.paused_at - self.since), paused_at=None)

    def credit(self, ms: int, now: int) -> "Clock":
        """Gives the running side back `ms` of this turn, at most what has passed of it."""
        if self.turn is None or self.paused_at is not None:
            return self
        return replace(self, since=max(self.since, min(self.since + ms, now)))

    def credit_busy(self, ms: int, now: int) -> "Clock":
        """As `credit`, but a side never gets back more than MAX_BUSY_MS per game this way."""
        if self.turn is None:
            return self
        before = for_color(self.busy_ms, self.turn)
        credited = self.credit(min(ms, MAX_BUSY_MS - before), now)
        given = credited.since - self.since
        return replace(credited, busy_ms=with_color(self.busy_ms, self.turn, before + given)) if given else self

    def stop(self, now: int) -> "Clock":
        """Freezes the times: the game is over."""
        if self.turn is None:
            return replace(self, paused_at=None)
        left = with_color(self.left_ms, self.turn, max(0, for_color(self.left_ms, self.turn) - self.elapsed(now)))
        return replace(self, left_ms=left, turn=None, paused_at=None)

    @property
    def deadline(self) -> int | None:
        """When (ms) the running side's flag falls, lag allowance included; None if no time runs."""
        if self.turn is None or self.paused_at is not None:
            return None
        return self.since + for_color(self.left_ms, self.turn) + for_color(self.quotas, self.turn).grace_ms

    def out_of_time(self, now: int) -> bool:
        """Is the running side out of time, whatever lag a late move might be given back?"""
        deadline = self.deadline
        return deadline is not None and now >= deadline
