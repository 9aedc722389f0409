"""Speeds: by the estimated length of a game, and by days."""

import pytest

from server.games.clocks.time_control import BANKS, Speed, TimeControl, speed_of


@pytest.mark.parametrize(
    ("minutes", "increment", "speed"),
    [
        (1, 0, Speed.BULLET),
        (2, 1, Speed.BULLET),
        (3, 0, Speed.BLITZ),
        (0, 5, Speed.BLITZ),
        (5, 3, Speed.BLITZ),
        (8, 0, Speed.RAPID),
        (10, 0, Speed.RAPID),
        (15, 10, Speed.RAPID),
        (25, 0, Speed.CLASSICAL),
        (30, 20, Speed.CLASSICAL),
    ],
)
def test_the_estimate_of_forty_moves_decides(minutes, increment, speed):
    assert speed_of(TimeControl.realtime(minutes * 60_000, increment * 1_000)) is speed


def test_with_time_odds_the_mean_decides():
    assert speed_of(TimeControl.realtime(60_000, 0, 540_000, 0)) is Speed.BLITZ


def test_days_and_no_limit():
    assert speed_of(TimeControl.correspondence(14)) is Speed.CORRESPONDENCE
    assert {speed_of(bank) for bank in BANKS} == {Speed.CORRESPONDENCE}
    assert speed_of(TimeControl.unlimited()) is Speed.UNLIMITED
