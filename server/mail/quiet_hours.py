"""When notifications are delivered: at the frequency that a person wants, and outside their quiet hours, in their time
zone and across changes of the clocks. Pure.
"""

from bisect import bisect_left
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from server.mail.wishes import Frequency
from server.storage.tables.notification_settings import MINUTES_A_DAY, NotificationSettings

MINUTE_S: Final = 60


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From the minute `begin` of each day in `zone` to the minute `end`, of the next day if that is not later.

    The same minute twice means that no hour is quiet.
    """

    zone: tzinfo = UTC
    begin: int = 0
    end: int = 0

    def next_allowed(self, now: int) -> int:
        """The first instant (ms) from `now` on that is not quiet: `now` itself, if it is not."""
        if not self._seconds_left(now // 1000):
            return now
        at = -(-now // 1000)
        while left := self._seconds_left(at):
            at = self._unchanged_until(at, at + left)
        return at * 1000

    def _seconds_left(self, at: int) -> int:
        """Seconds from `at` (s) to the end of the quiet hours by the local clock; 0: it is not quiet."""
        wall = datetime.fromtimestamp(at, self.zone)
        minute = wall.hour * 60 + wall.minute
        if (minute - self.begin) % MINUTES_A_DAY >= (self.end - self.begin) % MINUTES_A_DAY:
            return 0
        return ((self.end - minute) % MINUTES_A_DAY) * MINUTE_S - wall.second

    def _unchanged_until(self, at: int, end: int) -> int:
        """The change of the clocks between `at` and `end` (s), which are at most a day apart; without one `end`."""
        offset = datetime.fromtimestamp(at, self.zone).utcoffset()
        return at + bisect_left(
            range(at, end), True, key=lambda later: datetime.fromtimestamp(later, self.zone).utcoffset() != offset
        )

    def next_at(self, clock: time, now: int) -> int:
        """The first instant (ms) after `now` at which the local time is `clock`."""
        today = datetime.fromtimestamp(now / 1000, self.zone).date()
        days = (today + timedelta(days=ahead) for ahead in range(-1, 3))
        instants = (round(datetime.combine(day, clock, self.zone).timestamp() * 1000) for day in days)
        return next(at for at in instants if at > now)


def zone_called(name: str) -> tzinfo:
    """The time zone of that name; UTC if this machine knows none."""
    try:
        return ZoneInfo(name) if name else UTC
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


@cache
def zone_names() -> tuple[str, ...]:
    """The names of the time zones that can be chosen, in alphabetical order."""
    return tuple(sorted(name for name in available_timezones() if "/" in name and not name.startswith("Etc/")))


def quiet_hours_of(how: NotificationSettings) -> QuietHours:
    """The quiet hours of these settings."""
    return QuietHours(zone_called(how.zone), how.quiet_from, how.quiet_until)


HOUR_MS: Final = 3_600_000
MORNING: Final = time(8)
"""When daily notifications are sent, in local time."""


def due_at(often: Frequency, now: int, quiet: QuietHours) -> int:
    """When (ms) to send a notification that arises at `now`: at once, at the next full hour, or in the next morning;
    if that is quiet, at the end of the quiet hours.
    """
    match often:
        case Frequency.HOURLY:
            at = (now // HOUR_MS + 1) * HOUR_MS
        case Frequency.DAILY:
            at = quiet.next_at(MORNING, now)
        case _:
            at = now
    return quiet.next_allowed(at)
