"""The lag quota against the recorded behaviour of scalachess, and its own bounds. Amounts in ms unless named cs."""

import pytest

from server.games.clocks.clock import LAG_CAP_MS, NO_QUOTA, Quota
from server.games.clocks.time_control import TimeControl
from server.rules.variant.pieces import Color

# Limit (s), thinking time of each move (cs), lag of each move (cs), time left at the end (cs): scalachess ClockTest.
VECTORS = [
    (600, 0, [0], 60000),
    (600, 0, [20], 60000),
    (600, 0, [400], 59900),
    (600, 100, [0], 59900),
    (600, 100, [20], 59900),
    (600, 100, [400], 59800),
    (600, 0, [300, 300], 59800),
    (600, 0, [0, 300], 60000),
    (600, 0, [0] * 9 + [800], 59900),
    (600, 0, [0] * 6 + [500, 600], 59700),
    (600, 0, [0] * 6 + [500, 500, 500], 59400),
    (60, 0, [0, 300], 5856),
    (60, 0, [0] * 5 + [700], 5573),
]


@pytest.mark.row("T14")
@pytest.mark.parametrize(("limit_s", "think_cs", "lags_cs", "left_cs"), VECTORS)
def test_the_quota_gives_back_what_lichess_gives_back(limit_s, think_cs, lags_cs, left_cs):
    quota, left = Quota.of(limit_s * 1_000), limit_s * 1_000
    for lag in lags_cs:
        given, quota = quota.spend(lag * 10, quota.gain_ms)
        left -= (think_cs + lag) * 10 - given
    assert left == left_cs * 10


@pytest.mark.parametrize(
    ("initial_s", "increment_s", "gain", "start", "most"),
    [
        (15, 0, 210, 630, 1_470),
        (30, 0, 270, 810, 1_890),
        (60, 0, 390, 1_170, 2_730),
        (120, 1, 790, 2_370, 5_530),
        (180, 0, 870, 2_610, 6_090),
        (180, 2, 1_000, 3_000, 7_000),
        (600, 0, 1_000, 3_000, 7_000),
    ],
)
def test_the_size_of_the_quota_follows_the_time_control(initial_s, increment_s, gain, start, most):
    control = TimeControl.realtime(initial_s * 1_000, increment_s * 1_000)
    quota = Quota.of(control.estimate_ms(Color.WHITE))
    assert (quota.gain_ms, quota.left_ms) == (gain, start)
    for _ in range(20):
        _, quota = quota.spend(0, quota.gain_ms)
    assert quota.left_ms == most


@pytest.mark.parametrize(
    ("lag", "elapsed", "given"),
    [
        (0, 5_000, 0),
        (200, 5_000, 200),
        (500, 5_000, 500),
        (2_000, 5_000, LAG_CAP_MS),
        (200, 50, 50),
        (200, 0, 0),
        (-300, 5_000, 0),
    ],
)
def test_a_measured_lag_is_bounded_by_the_cap_and_by_the_time_that_passed(lag, elapsed, given):
    assert Quota.of(600_000).measured(lag, elapsed)[0] == given


def test_a_quick_network_cannot_hoard_quota():
    _, quick = Quota.of(600_000).measured(10, 5_000)
    _, slow = Quota.of(600_000).measured(500, 5_000)
    assert quick.left_ms == 3_000 - 10 + (10 + 140)
    assert slow.left_ms == 3_000 - 500 + (500 + 140)


@pytest.mark.row("T2")
def test_forty_delayed_answers_gain_no_more_than_the_documented_bound():
    quota, total = Quota.of(60_000), 0
    for _ in range(40):
        given, quota = quota.measured(2_000, 3_000)
        total += given
    assert total <= 1_170 + 40 * 390
    assert total > 10_000, "the bound is a bound only if it is nearly reached"


def test_nothing_is_given_back_where_there_is_no_quota():
    assert NO_QUOTA.measured(500, 5_000) == (0, NO_QUOTA)
    assert NO_QUOTA.grace_ms == 0


@pytest.mark.parametrize(("left", "grace"), [(0, 0), (120, 120), (3_000, LAG_CAP_MS)])
def test_a_flag_waits_as_long_as_a_late_move_could_be_excused(left, grace):
    assert Quota(390, left).grace_ms == grace
