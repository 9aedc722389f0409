"""When news are told: at once, or at the next of times that are all alike. In quiet hours: see `test_quiet_hours`."""

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from server.games.clocks.time_control import DAY_MS
from server.mail.quiet_hours import HOUR_MS, QuietHours, due_at
from server.mail.wishes import Frequency
from tests.support.games import START

INSTANTS = st.integers(START, START + 400 * DAY_MS)
NEVER = QuietHours()


@given(INSTANTS)
def test_what_is_told_at_once_is_due_at_once(now):
    assert due_at(Frequency.AT_ONCE, now, NEVER) == now


@given(INSTANTS)
def test_what_is_told_hourly_is_due_at_the_next_full_hour(now):
    due = due_at(Frequency.HOURLY, now, NEVER)
    assert 0 < due - now <= HOUR_MS
    assert due % HOUR_MS == 0


@given(INSTANTS)
def test_what_is_told_daily_is_due_in_the_next_morning(now):
    due = due_at(Frequency.DAILY, now, NEVER)
    assert 0 < due - now <= DAY_MS
    told = datetime.fromtimestamp(due / 1000, UTC)
    assert (told.hour, told.minute, told.second, told.microsecond) == (8, 0, 0, 0)
