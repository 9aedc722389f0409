"""Quiet hours by the clocks of where people live, over all changes of them: compared with a look at every minute."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from server.mail.quiet_hours import HOUR_MS, QuietHours, due_at, zone_called, zone_names
from server.mail.wishes import Frequency
from server.storage.tables.notification_settings import MINUTES_A_DAY

MINUTE_MS = 60_000
FIRST, LAST = (round(datetime(year, 1, 1, tzinfo=UTC).timestamp()) for year in (2024, 2038))
MINUTES = st.integers(0, MINUTES_A_DAY - 1)
CHANGES = (datetime(2026, 3, 29, 1, tzinfo=UTC), datetime(2026, 10, 25, 1, tzinfo=UTC))
"""In Europe the clocks are put forward from 2 to 3, and back from 3 to 2, at these instants."""
MADRID = ZoneInfo("Europe/Madrid")
INSTANTS = st.one_of(
    st.integers(FIRST * 1000, LAST * 1000),
    st.builds(
        lambda change, s: round(change.timestamp() + s) * 1000, st.sampled_from(CHANGES), st.integers(-90_000, 90_000)
    ),
)
ZONES = st.sampled_from(zone_names())


def is_quiet(zone, begin, end, at):
    """Is it quiet at `at` (ms), by the clock on the wall?"""
    wall = datetime.fromtimestamp(at / 1000, zone)
    minute = wall.hour * 60 + wall.minute
    if begin <= end:
        return begin <= minute < end
    return minute >= begin or minute < end


@given(ZONES.map(ZoneInfo), MINUTES, MINUTES, INSTANTS)
@example(MADRID, 22 * 60, 150, round(CHANGES[0].timestamp() - 3_600) * 1000)
@example(MADRID, 22 * 60, 150, round(CHANGES[1].timestamp() - 3_600) * 1000)
@example(MADRID, 170, 190, round(CHANGES[1].timestamp() - 300) * 1000)
@example(ZoneInfo("Australia/Lord_Howe"), 100, 125, 1_775_314_800_000)
@example(ZoneInfo("Europe/Amsterdam"), 1, 0, 1_774_738_860_000)
def test_they_are_over_at_the_first_instant_that_is_not_in_them(zone, begin, end, now):
    over = QuietHours(zone, begin, end).next_allowed(now)
    if not is_quiet(zone, begin, end, now):
        assert over == now
        return
    assert over > now
    assert over % MINUTE_MS == 0
    assert not is_quiet(zone, begin, end, over)
    assert all(is_quiet(zone, begin, end, at) for at in range(now, over, MINUTE_MS))
    assert is_quiet(zone, begin, end, over - 1)


@given(ZONES.map(ZoneInfo), INSTANTS)
def test_without_any_nothing_waits(zone, now):
    assert QuietHours(zone).next_allowed(now) == now


@given(ZONES.map(ZoneInfo), INSTANTS)
def test_the_next_morning_comes_within_a_day_and_is_eight_o_clock_there(zone, now):
    due = due_at(Frequency.DAILY, now, QuietHours(zone))
    assert 0 < due - now <= 26 * HOUR_MS
    wall = datetime.fromtimestamp(due / 1000, zone)
    skipped = wall.replace(tzinfo=None) - timedelta(hours=8)
    assume(skipped.time() == time())
    assert (wall.hour, wall.minute) == (8, 0)


@given(
    ZONES.map(ZoneInfo),
    MINUTES,
    MINUTES,
    INSTANTS,
    st.sampled_from([Frequency.AT_ONCE, Frequency.HOURLY, Frequency.DAILY]),
)
def test_nothing_is_ever_due_in_quiet_hours(zone, begin, end, now, often):
    due = due_at(often, now, QuietHours(zone, begin, end))
    assert due >= now
    assert not is_quiet(zone, begin, end, due)


@pytest.mark.parametrize("name", ["", "Nowhere/Town", "../../etc/passwd", "Europe", "a\0b"])
def test_a_zone_that_nobody_knows_is_utc(name):
    assert zone_called(name) is UTC


def test_the_zones_of_browsers_can_be_chosen():
    assert {"Europe/Madrid", "America/Argentina/Buenos_Aires", "Asia/Kolkata"} <= set(zone_names())
