"""The picture of a rating's history: inside its frame, true to the numbers, with few round lines."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.rules.variant.pieces import Color
from server.storage.protocols.ratings import RatingChange
from server.web.people.profiles import HEIGHT, LEFT, MAX_LINES, WIDTH, chart_of


def history(*values):
    """From the first value to the last, one game each."""
    return [
        RatingChange(Color.WHITE, number, before, 100.0, after, number)
        for number, (before, after) in enumerate(pairwise(values), start=1)
    ]


def points(chart):
    return [tuple(map(float, point.split(","))) for point in chart.line.split(" ")]


def test_without_a_game_there_is_no_chart():
    assert chart_of([]) is None


def test_the_first_point_is_the_rating_before_the_first_game():
    chart = chart_of(history(1500, 1600, 1550))
    first, second, third = points(chart)
    assert (first[0], third[0]) == (LEFT, chart.end[0])
    assert second[1] < third[1] < first[1]
    assert third == chart.end


@given(st.lists(st.floats(400, 3400), min_size=2, max_size=300))
def test_every_picture_stays_in_its_frame_with_few_lines(values):
    chart = chart_of(history(*values))
    assert all(LEFT <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in points(chart))
    assert 2 <= len(chart.marks) <= MAX_LINES + 2
    heights = [mark.y for mark in chart.marks]
    assert heights == sorted(heights, reverse=True)
    low, high = chart.marks[0].value, chart.marks[-1].value
    assert low <= min(values)
    assert max(values) <= high


@pytest.mark.parametrize("span", [1, 99, 1_000, 999_999, 10**8])
def test_the_lines_of_a_picture_are_few_whatever_the_span(span):
    assert 2 <= len(chart_of(history(1500, 1500 + span)).marks) <= MAX_LINES + 2


def test_a_rating_that_did_not_move_is_a_level_line():
    first, second = points(chart_of(history(1500, 1500)))
    assert first[1] == second[1]
