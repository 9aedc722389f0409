"""How long somebody may be on vacation from their correspondence games: so many days of each calendar year (UTC).

A day on which they are away counts, if only for a part of it, and it counts once. So those who come back early get back
the days that have not begun, nobody gains anything by going away and coming back again and again, and each year counts
its own days of a vacation over New Year. What it does to a game is in `changes.pausing`.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from server.games.clocks.time_control import DAY_MS
from server.games.frozen import replace
from server.rules.errors import Refusal

ONE_DAY: Final = timedelta(days=1)


class NoVacation(Refusal):
    """Somebody cannot be away as they wish."""

    code = "vacation"


@dataclass(frozen=True, slots=True)
class Vacation:
    """Away from `began` until `until`, which is not part of it; both ms."""

    began: int
    until: int

    @property
    def days(self) -> Iterator[date]:
        """The days (UTC) that it touches, at least the one on which it began."""
        day, last = day_at(self.began), max(day_at(self.began), last_day(self.until))
        while day <= last:
            yield day
            day += ONE_DAY

    def goes_on(self, now: int) -> bool:
        """Are they away at `now` (ms)?"""
        return self.began <= now < self.until

    def ended(self, now: int) -> "Vacation":
        """The same if they are back at `now` (ms), where it does not end before."""
        return replace(self, until=min(self.until, max(now, self.began)))


def day_at(ms: int) -> date:
    """The day (UTC) in which that instant lies."""
    return datetime.fromtimestamp(ms / 1000, UTC).date()


def last_day(until: int) -> date:
    """The last day (UTC) of a vacation that ends at `until` (ms)."""
    return day_at(until - 1)


def end_of(day: date) -> int:
    """When (ms) that day (UTC) is over."""
    return round(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000) + DAY_MS


def going_on(taken: Iterable[Vacation], now: int) -> Vacation | None:
    """The one of these vacations that goes on at `now` (ms), of several the longest; None: they are here."""
    return max((one for one in taken if one.goes_on(now)), key=lambda one: one.until, default=None)


def days_left(taken: Iterable[Vacation], year: int, allowed: int) -> int:
    """How many of the `allowed` days of that year are neither used nor planned."""
    return max(0, allowed - len({day for one in taken for day in one.days if day.year == year}))


def latest_day(taken: Sequence[Vacation], began: int, allowed: int) -> date | None:
    """The last day of the longest vacation that begins at `began` (ms), beside those `taken`; None: there is none.

    `allowed`: days of a year, fewer than a year has.
    """
    used = {day for one in taken for day in one.days}
    day, latest = day_at(began), None
    left = {day.year: days_left(taken, day.year, allowed), day.year + 1: days_left(taken, day.year + 1, allowed)}
    while left.get(day.year, 0) or day in used:
        left[day.year] -= day not in used
        latest = day
        day += ONE_DAY
    return latest


def planned(taken: Sequence[Vacation], last: date, allowed: int, now: int) -> Vacation:
    """The vacation of somebody who is away from `now` (ms) through the day `last`, or since the present one began.

    Raises NoVacation.
    """
    present = going_on(taken, now)
    began = now if present is None else present.began
    others = [one for one in taken if one != present]
    if last < day_at(now):
        raise NoVacation("vacation_in_the_past", today=day_at(now).isoformat())
    latest = latest_day(others, began, allowed)
    if latest is None or latest < day_at(now):
        raise NoVacation("vacation_used_up", n=allowed)
    if last > latest:
        left = days_left(others, latest.year, allowed)
        raise NoVacation("vacation_too_long", n=left, year=latest.year, latest=latest.isoformat())
    return Vacation(began, end_of(last))


@dataclass(frozen=True, slots=True)
class Allowance:
    """What somebody knows of their vacations. `allowed`: days of each year; `left`: of this year, as of today.

    `until`: when the present one ends, ms; 0: they are here. `latest`: the last day that the present one, or one that
    begins now, can have; None: not even today.
    """

    allowed: int
    left: int
    until: int
    latest: date | None

    @property
    def last(self) -> date | None:
        """The last day of the present vacation; None: they are here."""
        return last_day(self.until) if self.until else None


def allowance(taken: Sequence[Vacation], allowed: int, now: int) -> Allowance:
    """What is left at `now` (ms) of the `allowed` days of a year, after the vacations `taken`."""
    today, present = day_at(now), going_on(taken, now)
    others = [one for one in taken if one != present]
    latest = latest_day(others, now if present is None else present.began, allowed)
    return Allowance(
        allowed=allowed,
        left=days_left(taken, today.year, allowed),
        until=0 if present is None else present.until,
        latest=None if latest is None or latest < today else latest,
    )


def year_began(now: int) -> int:
    """When (ms) the calendar year of `now` (ms) began: what ended before counts no more."""
    return end_of(date(day_at(now).year - 1, 12, 31))
