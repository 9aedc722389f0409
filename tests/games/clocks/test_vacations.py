"""How many days of vacation somebody has: compared with days counted one by one, whatever vacations they have taken."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.clocks.time_control import DAY_MS
from server.games.clocks.vacations import (
    NoVacation,
    Vacation,
    day_at,
    days_left,
    end_of,
    going_on,
    last_day,
    latest_day,
    planned,
)

ALLOWED = 28


def at(text):
    """ "2026-08-03 14:30" as ms."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def vacation(began, until):
    return Vacation(at(began), at(until))


INSTANTS = st.integers(at("2026-11-01"), at("2027-03-01"))
VACATIONS = st.builds(lambda began, ms: Vacation(began, began + ms), INSTANTS, st.integers(0, 12 * DAY_MS))


@given(st.lists(VACATIONS, max_size=4), st.sampled_from((2026, 2027)))
def test_each_day_counts_once_on_which_somebody_was_away(taken, year):
    away = 0
    for number in range(366):
        day = date(year, 1, 1) + timedelta(number)
        if day.year == year:
            begins, ends = end_of(day) - DAY_MS, end_of(day)
            # Whoever is back within the millisecond has been away on that day.
            away += any(one.began < ends and max(one.until, one.began + 1) > begins for one in taken)
    assert days_left(taken, year, ALLOWED) == max(0, ALLOWED - away)


@given(st.lists(VACATIONS, max_size=3), INSTANTS, st.sampled_from((1, 5, ALLOWED, 180)))
def test_the_latest_day_is_the_last_for_which_the_days_of_each_year_suffice(taken, began, allowed):
    def suffices(day):
        days = {one for other in (*taken, Vacation(began, end_of(day))) for one in other.days}
        return all(sum(one.year == year for one in days) <= allowed for year in {one.year for one in new(day)})

    def new(day):
        return set(Vacation(began, end_of(day)).days) - {one for other in taken for one in other.days}

    latest = latest_day(taken, began, allowed)
    if latest is None:
        assert not suffices(day_at(began))
    else:
        assert suffices(latest)
        assert not suffices(latest + timedelta(1))


def test_a_vacation_over_new_year_counts_in_each_year_what_lies_in_it():
    taken = [vacation("2026-12-30 18:00", "2027-01-03 00:00")]
    assert (days_left(taken, 2026, ALLOWED), days_left(taken, 2027, ALLOWED)) == (26, 26)
    began = at("2026-12-20 09:00")
    assert latest_day([], began, ALLOWED) == date(2027, 1, 28)
    assert latest_day([], at("2026-07-01"), ALLOWED) == date(2026, 7, 28)


def test_the_days_that_have_not_begun_come_back_to_who_comes_back_early():
    whole = vacation("2026-07-01 12:00", "2026-07-20 00:00")
    assert days_left([whole], 2026, ALLOWED) == 9
    early = whole.ended(at("2026-07-03 00:00"))
    assert (early.until, days_left([early], 2026, ALLOWED)) == (at("2026-07-03 00:00"), 26)
    assert days_left([whole.ended(at("2026-07-03 00:00") + 1)], 2026, ALLOWED) == 25
    assert whole.ended(at("2026-09-01")) == whole
    assert days_left([whole.ended(whole.began)], 2026, ALLOWED) == 27


def test_going_away_and_back_again_within_a_day_costs_that_day_once():
    taken = [vacation(f"2026-07-01 {hour:02}:00", f"2026-07-01 {hour:02}:30") for hour in range(20)]
    assert days_left(taken, 2026, ALLOWED) == 27


def test_the_last_day_is_the_one_before_the_end():
    assert last_day(end_of(date(2026, 8, 3))) == date(2026, 8, 3)
    assert end_of(date(2026, 8, 3)) == at("2026-08-04")


class TestPlanned:
    NOW = at("2026-07-01 15:00")

    def test_it_goes_from_now_through_the_last_day(self):
        assert planned([], date(2026, 7, 3), ALLOWED, self.NOW) == Vacation(self.NOW, at("2026-07-04"))

    def test_a_present_one_gets_another_end_and_keeps_its_beginning(self):
        present = vacation("2026-06-25 10:00", "2026-07-05 00:00")
        other = vacation("2026-03-01 10:00", "2026-03-11 00:00")
        assert going_on([other, present], self.NOW) == present
        longer = planned([other, present], date(2026, 7, 12), ALLOWED, self.NOW)
        assert longer == Vacation(present.began, at("2026-07-13"))
        with pytest.raises(NoVacation) as refused:
            planned([other, present], date(2026, 7, 13), ALLOWED, self.NOW)
        assert (refused.value.id, refused.value.params["latest"]) == ("vacation_too_long", "2026-07-12")

    def test_who_asks_for_too_much_is_told_how_many_days_are_left_and_until_when(self):
        with pytest.raises(NoVacation) as refused:
            planned([vacation("2026-03-01 10:00", "2026-03-11 00:00")], date(2026, 8, 1), ALLOWED, self.NOW)
        assert refused.value.id == "vacation_too_long"
        assert refused.value.params == {"n": 18, "year": 2026, "latest": "2026-07-18"}

    def test_a_day_that_is_over_is_refused(self):
        assert planned([], date(2026, 7, 1), ALLOWED, self.NOW).until == at("2026-07-02")
        with pytest.raises(NoVacation, match="vacation_in_the_past"):
            planned([], date(2026, 6, 30), ALLOWED, self.NOW)

    def test_whoever_has_used_all_days_is_told_so(self):
        used = vacation("2026-03-01 00:00", "2026-03-29 00:00")
        with pytest.raises(NoVacation, match="vacation_used_up"):
            planned([used], date(2026, 7, 1), ALLOWED, self.NOW)
