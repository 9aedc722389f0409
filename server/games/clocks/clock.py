"""The clock of one game as a value. `now` is always an argument: integer ms of the server's one clock.

A clock stands still until both sides have moved once (`start`); after that exactly one side's time runs. The Fischer
increment is added after a move, never after the flag has fallen. A correspondence clock is full again at every turn, or
a time bank: it counts as a real-time clock does, in days, and never holds more than its cap. Neither gives anything
back for lag. An unlimited clock never starts.

Each move that stands earns one increment, however often it was taken back and made anew: the clocks keep their times at
a takeback, as on lichess, and the move that replaces one earns nothing. Taking the increment off at once would end the
game of a side that has thought it up since; earning it again would make time out of takebacks.

The time of a `spared` side never runs out: the computer thinks in its opponent's page, and nobody thinks for it while
that is closed. A move costs it at most a share of what it has, however long it takes.

No player pays for the network: a move gets its lag back from a quota that refills with every move (`Quota`). Nor for
the server: `pause` and `resume` take out the time it was down, `credit` the time it stalled or wrote to disk. Players
can overload the server on purpose, so `credit_busy` gives a side back at most MAX_BUSY_MS per game for that.
"""

from dataclasses import dataclass
from typing import Final

from server.games.clocks.time_control import ClockKind, PerSide, TimeControl, for_color, with_color
from server.games.frozen import replace
from server.rules.variant.pieces import Color

LAG_CAP_MS = 500
"""The most that a single move gets back."""
JITTER_MS = 140
"""The quota gains at most the measured round trip plus this, so a fast connection cannot save up for a slow move."""
MAX_GAIN_MS = 1_000
START_GAINS = 3
MAX_GAINS = 7


@dataclass(frozen=True, slots=True)
class Quota:
    """How much network delay a side gets back. `gain_ms`: added with every move. `left_ms`: what can be given back now.

    The formula is that of lichess (scalachess `LagTracker`): a game estimated to last E seconds gains
    min(1000, 10 * floor(2E / 5) + 150) ms per move, starts with three gains and never holds more than seven. Lag is
    what the server measured, never what a client claims. Two bounds are our own: see `measured`.
    """

    gain_ms: int
    left_ms: int

    @classmethod
    def of(cls, estimate_ms: int) -> "Quota":
        """The initial quota of a side that is expected to use `estimate_ms` in the whole game."""
        gain = min(MAX_GAIN_MS, 10 * (2 * estimate_ms // 5_000) + 150)
        return cls(gain, START_GAINS * gain)

    def spend(self, lag_ms: int, gain_ms: int) -> tuple[int, "Quota"]:
        """What is given back of `lag_ms`, and the quota after that, refilled by `gain_ms`, at most the full gain."""
        given = min(lag_ms, self.left_ms)
        left = min(self.left_ms + min(gain_ms, self.gain_ms) - given, MAX_GAINS * self.gain_ms)
        return given, Quota(self.gain_ms, left)

    def measured(self, lag_ms: int, elapsed_ms: int) -> tuple[int, "Quota"]:
        """`spend` within our bounds: at most LAG_CAP_MS and `elapsed_ms` are given back, and at most the measured
        lag and JITTER_MS are gained."""
        lag = max(0, min(lag_ms, LAG_CAP_MS))
        return self.spend(min(lag, elapsed_ms), lag + JITTER_MS)

    @property
    def grace_ms(self) -> int:
        """The most that a move arriving now could get back: a flag must wait that long."""
        return min(self.left_ms, LAG_CAP_MS)


NO_QUOTA: Final = Quota(0, 0)
"""For correspondence and untimed games: nothing is given back."""

MAX_BUSY_MS = 2_000
"""The most a side gets back per game because the server was overloaded: overloading it must never pay off."""

SPARED_SHARE = 20
"""A move of a spared side costs it at most one part in so many of its time."""


class FlagFell(Exception):
    """The move came after the mover's time had run out."""


@dataclass(frozen=True, slots=True)
class Clock:
    """`left_ms`: each side's time at the start of the turn. `turn`: whose time runs since `since`; None: not started.

    `given_ms`: lag given back so far. `busy_ms`: given back so far because the server was overloaded. `paused_at`: time
    after this instant does not count; None: the clock is not paused. `reminded`: the last of
    `reminders.SHARES` at which the side to move was reminded in this turn; 0: not yet. `spared`: the side whose time
    never runs out; None: neither. `replaced`: how many coming moves of each side are in place of ones taken back.
    `berserk`: which sides have given away half of their time and their increments.
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
    spared: Color | None = None
    replaced: PerSide = (0, 0)
    berserk: tuple[bool, bool] = (False, False)

    @classmethod
    def of(cls, control: TimeControl, spared: Color | None = None) -> "Clock":
        """A clock that has not started."""
        left = (control.turn_ms(Color.WHITE) or 0, control.turn_ms(Color.BLACK) or 0)
        if not control.by_the_minute:
            return cls(control, left, (NO_QUOTA, NO_QUOTA), spared=spared)
        white, black = control.estimate_ms(Color.WHITE), control.estimate_ms(Color.BLACK)
        return cls(control, left, (Quota.of(white), Quota.of(black)), spared=spared)

    def start(self, color: Color, now: int) -> "Clock":
        """Starts `color`'s time. An unlimited clock stays as it is."""
        if self.control.kind is ClockKind.UNLIMITED:
            return self
        return replace(self, turn=color, since=now, paused_at=None if self.paused_at is None else now, reminded=0)

    def elapsed(self, now: int) -> int:
        """How much of this turn counts so far, ms. Never negative, even if the wall clock steps back."""
        end = now if self.paused_at is None else min(now, self.paused_at)
        passed = max(0, end - self.since)
        if self.turn is None or self.turn is not self.spared:
            return passed
        return min(passed, for_color(self.left_ms, self.turn) // SPARED_SHARE)

    def remaining(self, color: Color, now: int) -> int | None:
        """What `color`'s clock shows at `now`, ms, never below 0; None without a limit."""
        if self.control.kind is ClockKind.UNLIMITED:
            return None
        left = for_color(self.left_ms, color)
        return max(0, left - self.elapsed(now)) if color is self.turn else left

    def press(self, now: int, lag_ms: int, *, forgiving: bool = False) -> tuple["Clock", int]:
        """The clock after the running side's move, received at `now`, and the ms given back for lag.

        `lag_ms` is the lag the server measured. The other side's time runs from `now`, but stays paused if the clock
        was. A clock that has not started is returned unchanged. Raises FlagFell if the time was over even with the lag
        given back; a `forgiving` opponent lets the mover go on as with the last of it.
        """
        mover = self.turn
        if mover is None:
            return self, 0
        elapsed = self.elapsed(now)
        given, quota = for_color(self.quotas, mover).measured(lag_ms, elapsed)
        left = for_color(self.left_ms, mover) - (elapsed - given)
        if left <= 0 and not forgiving:
            raise FlagFell
        left, replaced = max(0, left), self.replaced
        if for_color(replaced, mover):
            replaced = with_color(replaced, mover, for_color(replaced, mover) - 1)
        elif not for_color(self.berserk, mover):
            left = self.control.after_move_ms(mover, left)
        pressed = replace(
            self,
            left_ms=with_color(self.left_ms, mover, left),
            replaced=replaced,
            quotas=with_color(self.quotas, mover, quota),
            given_ms=with_color(self.given_ms, mover, for_color(self.given_ms, mover) + given),
            turn=mover.other,
            since=now,
            paused_at=None if self.paused_at is None else now,
            reminded=0,
        )
        return pressed, given

    def takeback(self, color: Color, now: int) -> "Clock":
        """The clock after `color` took their last move back, and their opponent's answer if it was `color`'s turn.

        The times stay, and the turn becomes `color`'s; days for each move are full again. What replaces a move taken
        back earns no increment: not even if it is the first of a game, which earned none, and the clock runs by now.
        """
        if self.turn is None:
            return self
        replaced = self.replaced
        if self.control.keeps_time:
            undone = with_color((1, 1), color.other, int(self.turn is color))
            replaced = (replaced[0] + undone[0], replaced[1] + undone[1])
        if self.turn is color:
            return replace(self, replaced=replaced)
        left = self.left_ms
        if self.control.keeps_time:
            left = with_color(left, self.turn, max(0, for_color(left, self.turn) - self.elapsed(now)))
        elif self.control.by_days:
            # A turn that began anew after a pause may have had less.
            left = with_color(left, self.turn, self.control.turn_ms(self.turn) or 0)
        return replace(self, left_ms=left, replaced=replaced).start(color, now)

    def go_berserk(self, color: Color) -> "Clock":
        """The clock of a game before `color` has moved, with half of their time and without increments for them."""
        left = with_color(self.left_ms, color, for_color(self.left_ms, color) // 2)
        return replace(self, left_ms=left, berserk=with_color(self.berserk, color, True))

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
        """When (ms) the running side's flag falls, lag allowance included; None if no time runs, or it is spared."""
        if self.turn is None or self.paused_at is not None or self.turn is self.spared:
            return None
        return self.since + for_color(self.left_ms, self.turn) + for_color(self.quotas, self.turn).grace_ms

    def out_of_time(self, now: int) -> bool:
        """Is the running side out of time, whatever lag a late move might be given back?"""
        deadline = self.deadline
        return deadline is not None and now >= deadline
