"""A time control reads the same wherever it is written."""

import pytest

from server.games.clocks.time_control import TimeControl
from server.language import load_words
from server.web.clock_words import clock_words, paces


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(300, "5+2"), (30, "0.5+2"), (45, "0.75+2"), (5, "0:05+2"), (20, "0:20+2"), (95, "1:35+2"), (0, "0+2")],
)
def test_quarters_of_a_minute_are_decimals_and_no_other_part_is(seconds, words):
    control = TimeControl.realtime(seconds * 1000, 2000)
    assert clock_words(control, load_words()["en"]) == words
    assert paces(control) == [words, words]


def test_time_odds_are_told_of_both_sides():
    control = TimeControl.realtime(300_000, 3_000, black_initial_ms=60_000, black_increment_ms=0)
    assert paces(control) == ["5+3", "1+0"]
    assert clock_words(control, load_words()["en"]) == "5+3 against 1+0"
