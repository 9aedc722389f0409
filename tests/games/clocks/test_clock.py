"""The clock by itself: what each operation does, in numbers. Nothing sleeps: `now` is an argument."""

from dataclasses import replace

import pytest

from server.games.clocks.clock import Clock, FlagFell
from server.games.clocks.time_control import DAY_MS, TimeControl
from server.games.errors import BadClock
from server.rules.variant.pieces import Color

WHITE, BLACK = Color.WHITE, Color.BLACK
T = 1_700_000_000_000
MINUTE = 60_000


def running(initial=MINUTE, increment=0, black_initial=None, black_increment=None):
    control = TimeControl.realtime(initial, increment, black_initial, black_increment)
    return Clock.of(control).start(WHITE, T)


def shows(clock, now):
    return clock.remaining(WHITE, now), clock.remaining(BLACK, now)


@pytest.mark.parametrize(
    "control",
    [
        TimeControl.realtime(0, 1),
        TimeControl.realtime(1, 0),
        TimeControl.realtime(10_800_000, 180_000),
        TimeControl.realtime(MINUTE, 0, 5_000, 1_000),
        *(TimeControl.correspondence(days) for days in (1, 2, 3, 5, 7, 10, 14)),
        *(TimeControl.bank(*days) for days in ((10, 1, 30), (30, 1, 45), (30, 3, 60))),
        TimeControl.unlimited(),
    ],
)
def test_possible_time_controls_are_accepted(control):
    control.validate()


@pytest.mark.parametrize(
    "control",
    [
        TimeControl.realtime(0, 0),
        TimeControl.realtime(-1, 5_000),
        TimeControl.realtime(10_800_001, 0),
        TimeControl.realtime(MINUTE, -1),
        TimeControl.realtime(MINUTE, 180_001),
        TimeControl.realtime(MINUTE, 0, 0, 0),
        TimeControl.realtime(MINUTE, 0, black_increment_ms=-1),
        *(TimeControl.correspondence(days) for days in (-1, 0, 4, 15)),
        *(TimeControl.bank(*days) for days in ((10, 1, 29), (10, 2, 30), (0, 1, 30), (-10, 1, 30), (60, 3, 30))),
        replace(TimeControl.bank(10, 1, 30), days=3),
    ],
)
def test_absurd_time_controls_are_refused(control):
    with pytest.raises(BadClock):
        control.validate()


def test_a_clock_stands_until_it_is_started():
    clock = Clock.of(TimeControl.realtime(MINUTE, 2_000))
    assert shows(clock, T + DAY_MS) == (MINUTE, MINUTE)
    assert clock.deadline is None
    assert clock.press(T, 0) == (clock, 0)


def test_a_move_costs_its_time_and_earns_the_increment_afterwards():
    clock, given = running(MINUTE, 2_000).press(T + 5_000, 0)
    assert shows(clock, T + 5_000) == (57_000, MINUTE)
    assert shows(clock, T + 6_500) == (57_000, 58_500)
    assert given == 0


def test_the_increment_cannot_save_a_move_that_came_too_late():
    with pytest.raises(FlagFell):
        running(1_000, 60_000).press(T + 1_000, 0)


@pytest.mark.parametrize(("elapsed", "lag", "left"), [(999, 0, 1), (1_099, 100, 1), (1_449, 500, 1), (1_200, 500, 250)])
def test_a_move_in_time_counts_even_when_the_clock_showed_zero(elapsed, lag, left):
    clock, _ = running(1_000).press(T + elapsed, lag)
    assert clock.remaining(WHITE, T + elapsed) == left


@pytest.mark.parametrize(("elapsed", "lag"), [(1_000, 0), (1_100, 100), (1_450, 500), (1_450, 9_999)])
def test_a_move_too_late_is_too_late(elapsed, lag):
    with pytest.raises(FlagFell):
        running(1_000).press(T + elapsed, lag)


def test_sides_may_have_times_of_their_own():
    clock = running(MINUTE, 1_000, black_initial=5_000, black_increment=0)
    assert shows(clock, T) == (MINUTE, 5_000)
    clock, _ = clock.press(T + 2_000, 0)
    clock, _ = clock.press(T + 3_000, 0)
    assert shows(clock, T + 3_000) == (59_000, 4_000)


def test_a_clock_that_starts_at_zero_starts_with_one_increment():
    clock = running(0, 3_000)
    assert shows(clock, T) == (3_000, 3_000)
    clock, _ = clock.press(T + 2_999, 0)
    assert clock.remaining(WHITE, T + 2_999) == 3_001


@pytest.mark.row("T5")
def test_time_left_is_never_negative_nor_grows_when_the_wall_clock_steps_back():
    clock = running()
    assert clock.remaining(WHITE, T + DAY_MS) == 0
    assert clock.remaining(WHITE, T - DAY_MS) == MINUTE
    pressed, _ = clock.press(T - 3_600_000, 0)
    assert pressed.remaining(WHITE, T) == MINUTE


def test_the_flag_waits_for_the_lag_that_a_late_move_might_claim():
    clock = running(1_000)
    assert clock.deadline == T + 1_000 + 450
    assert not clock.out_of_time(T + 1_449)
    assert clock.out_of_time(T + 1_450)
    assert running(MINUTE).deadline == T + MINUTE + 500


def test_lag_given_back_is_added_up_for_each_side():
    clock = running()
    for elapsed, lag in ((1_000, 200), (2_000, 300), (3_000, 100)):
        clock, _ = clock.press(T + elapsed, lag)
    assert clock.given_ms == (300, 300)
    assert shows(clock, T + 3_000) == (MINUTE - 2_000 + 300, MINUTE - 1_000 + 300)


class TestDays:
    clock = Clock.of(TimeControl.correspondence(3)).start(BLACK, T)

    def test_the_deadline_is_the_last_move_and_the_days_and_no_grace(self):
        assert self.clock.deadline == T + 3 * DAY_MS
        assert self.clock.out_of_time(T + 3 * DAY_MS)
        assert not self.clock.out_of_time(T + 3 * DAY_MS - 1)

    def test_every_turn_has_all_its_days(self):
        clock, given = self.clock.press(T + 2 * DAY_MS, 400)
        assert given == 0
        assert clock.deadline == T + 5 * DAY_MS
        assert shows(clock, T + 3 * DAY_MS) == (2 * DAY_MS, 3 * DAY_MS)

    def test_downtime_is_given_back_in_full(self):
        later = T + 2 * DAY_MS
        assert self.clock.credit(DAY_MS, later).deadline == T + 4 * DAY_MS

    def test_a_takeback_begins_a_full_turn(self):
        clock = self.clock.takeback(WHITE, T + 2 * DAY_MS)
        assert clock.deadline == T + 5 * DAY_MS
        assert clock.remaining(BLACK, T + 4 * DAY_MS) == 3 * DAY_MS


class TestBank:
    """Ten days, one more after each own move, never more than thirty."""

    clock = Clock.of(TimeControl.bank(10, 1, 30)).start(WHITE, T)

    def test_time_used_is_lost_and_each_move_earns_a_day(self):
        clock, given = self.clock.press(T + 4 * DAY_MS, 400)
        assert given == 0
        assert shows(clock, T + 4 * DAY_MS) == (7 * DAY_MS, 10 * DAY_MS)
        assert clock.deadline == T + 14 * DAY_MS

    def test_a_bank_never_holds_more_than_its_cap(self):
        clock, now = self.clock, T
        for _ in range(2 * 25):
            now += 1
            clock, _ = clock.press(now, 0)
        assert shows(clock, now) == (30 * DAY_MS, 30 * DAY_MS)
        clock, _ = clock.press(now + 2 * DAY_MS, 0)
        assert clock.remaining(WHITE, now) == 29 * DAY_MS

    def test_the_increment_cannot_save_a_move_that_came_too_late(self):
        clock, _ = self.clock.press(T + 10 * DAY_MS - 1, 0)
        assert clock.remaining(WHITE, T) == DAY_MS + 1
        with pytest.raises(FlagFell):
            self.clock.press(T + 10 * DAY_MS, 400)

    def test_there_is_no_grace_for_lag(self):
        assert self.clock.deadline == T + 10 * DAY_MS
        assert self.clock.out_of_time(T + 10 * DAY_MS)

    def test_a_takeback_leaves_the_times_and_changes_the_turn(self):
        clock, _ = self.clock.press(T + 4 * DAY_MS, 0)
        back = clock.takeback(WHITE, T + 6 * DAY_MS)
        assert shows(back, T + 7 * DAY_MS) == (6 * DAY_MS, 8 * DAY_MS)


def test_an_unlimited_clock_never_starts():
    clock = Clock.of(TimeControl.unlimited()).start(WHITE, T)
    assert clock.turn is None
    assert clock.deadline is None
    assert shows(clock, T + 99 * DAY_MS) == (None, None)


class TestAway:
    """The server dies at 10 s of White's minute, as its last mark says, and is back an hour later."""

    paused = running().pause(T + 10_000)
    back = T + 3_600_000

    def test_a_paused_clock_shows_what_was_left_and_cannot_fall(self):
        assert shows(self.paused, self.back) == (50_000, MINUTE)
        assert self.paused.deadline is None
        assert not self.paused.out_of_time(self.back + DAY_MS)

    def test_it_goes_on_from_there(self):
        clock = self.paused.resume(self.back)
        assert shows(clock, self.back) == (50_000, MINUTE)
        assert shows(clock, self.back + 1_000) == (49_000, MINUTE)
        assert clock.deadline == self.back + 50_500

    @pytest.mark.row("T5")
    def test_a_wall_clock_set_back_meanwhile_gives_nobody_an_hour(self):
        clock = self.paused.resume(T - 3_600_000)
        assert shows(clock, T - 3_600_000) == (50_000, MINUTE)
        assert shows(clock, T - 3_600_000 + 9_000) == (41_000, MINUTE)

    def test_a_move_made_meanwhile_costs_nothing_more_and_leaves_the_clock_paused(self):
        clock, _ = self.paused.press(self.back, 0)
        assert shows(clock, self.back + 9_000) == (50_000, MINUTE)
        assert shows(clock.resume(self.back + 9_000), self.back + 10_000) == (50_000, 59_000)

    def test_pausing_twice_is_the_same_as_once(self):
        assert self.paused.pause(self.back) == self.paused

    def test_a_heartbeat_from_before_the_turn_costs_the_mover_nothing(self):
        assert shows(running().pause(T - 700), self.back) == (MINUTE, MINUTE)

    def test_a_flag_that_had_fallen_before_stays_fallen(self):
        clock = running(1_000).pause(T + 2_000).resume(self.back)
        assert clock.remaining(WHITE, self.back) == 0
        assert clock.out_of_time(self.back)

    def test_resuming_a_running_clock_changes_nothing(self):
        assert running().resume(self.back) == running()


@pytest.mark.parametrize(("ms", "left"), [(0, 50_000), (3_000, 53_000), (10_000, MINUTE), (99_000, MINUTE)])
def test_a_stall_is_given_back_to_the_running_side_but_never_more_than_passed(ms, left):
    assert shows(running().credit(ms, T + 10_000), T + 10_000) == (left, MINUTE)


def test_a_takeback_leaves_the_times_and_changes_the_turn():
    clock, _ = running(MINUTE, 2_000).press(T + 5_000, 0)
    back = clock.takeback(WHITE, T + 9_000)
    assert shows(back, T + 9_000) == (57_000, 56_000)
    assert shows(back, T + 10_000) == (56_000, 56_000)
    assert shows(clock.takeback(BLACK, T + 9_000), T + 9_000) == shows(clock, T + 9_000)


def test_a_move_in_place_of_one_taken_back_earns_nothing_and_the_next_one_does():
    clock, _ = running(MINUTE, 2_000).press(T + 1_000, 0)
    for _ in range(3):
        clock, _ = clock.takeback(WHITE, T + 1_000).press(T + 1_000, 0)
    assert shows(clock, T + 1_000) == (61_000, MINUTE)
    clock, _ = clock.press(T + 1_000, 0)
    clock, _ = clock.press(T + 1_000, 0)
    assert shows(clock, T + 1_000) == (63_000, 62_000)


def test_a_stopped_clock_keeps_what_it_showed():
    stopped = running().stop(T + 7_000)
    assert shows(stopped, T + DAY_MS) == (53_000, MINUTE)
    assert stopped.deadline is None
