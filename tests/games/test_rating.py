"""Glicko-2: the numbers of its author's example, and what must hold of any two ratings."""

import random
from dataclasses import replace
from math import exp, log, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games import rating
from server.games.rating import (
    MAX_DEVIATION,
    MIN_DEVIATION,
    MIN_RATING,
    PERIOD_MS,
    PROVISIONAL_ABOVE,
    Rating,
    after_period,
    rated,
)

DAY = 86_400_000
NOW = 1_700_000_000_000

ratings = st.builds(
    Rating,
    value=st.floats(MIN_RATING, 3200),
    deviation=st.floats(MIN_DEVIATION, MAX_DEVIATION),
    volatility=st.floats(0.03, 0.1),
    games=st.integers(1, 5000),
    at=st.integers(NOW - 1000 * DAY, NOW),
)


def test_the_example_of_glickmans_paper():
    # http://www.glicko.net/glicko/glicko2.pdf gives 1464.06, 151.52 and 0.05999, with its own rounding on the way.
    mine = Rating(1500, 200, 0.06)
    after = after_period(mine, [(Rating(1400, 30), 1), (Rating(1550, 100), 0), (Rating(1700, 300), 0)])
    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.005)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_volatility_solves_the_papers_equation_far_from_the_middle_too():
    # Step 5.1 with the deviation squared. With the rating in its place nobody far from 1500 would get this root.
    mine, opponent = Rating(2300, 80, 0.06), Rating(1900, 60)
    after = after_period(mine, [(opponent, 0)])
    mu, phi, mu_j, phi_j = (800 / 173.7178, 80 / 173.7178, 400 / 173.7178, 60 / 173.7178)
    g = 1 / (1 + 3 * phi_j**2 / pi**2) ** 0.5
    expected = 1 / (1 + exp(-g * (mu - mu_j)))
    v = 1 / (g**2 * expected * (1 - expected))
    delta = v * g * (0 - expected)

    def f(volatility):
        square = volatility**2
        top = square * (delta**2 - phi**2 - v - square)
        return top / (2 * (phi**2 + v + square) ** 2) - (log(square) - log(0.06**2)) / 0.5**2

    low, high = 0.01, 0.5
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    assert after.volatility == pytest.approx(low, abs=1e-6)


@given(ratings, ratings)
def test_a_win_never_lowers_a_rating_and_a_loss_never_raises_it(mine, opponent):
    won, drawn, lost = (rated(mine, opponent, score, NOW) for score in (1, 0.5, 0))
    # What is kept is rounded to three places.
    assert lost.value - 0.001 <= mine.value <= won.value + 0.001
    assert lost.value <= drawn.value <= won.value
    assert lost.value >= MIN_RATING


@given(ratings, ratings, st.sampled_from([0, 0.5, 1]))
def test_a_rating_stays_within_its_bounds_and_counts_the_game(mine, opponent, score):
    after = rated(mine, opponent, score, NOW)
    assert MIN_DEVIATION <= after.deviation <= MAX_DEVIATION
    assert 0 < after.volatility <= 0.1
    assert after.games == mine.games + 1
    assert after.at == NOW


@given(ratings, st.floats(MIN_RATING, 3100), st.floats(1, 400))
def test_a_stronger_opponent_beaten_brings_more(mine, value, more):
    weaker, stronger = (Rating(one, 60, games=9, at=NOW) for one in (value, value + more))
    assert rated(mine, stronger, 1, NOW).value >= rated(mine, weaker, 1, NOW).value


@given(ratings, ratings)
def test_an_opponent_who_is_less_known_moves_a_rating_less(mine, opponent):
    fresh = replace(mine, at=NOW)
    known, unknown = (replace(opponent, value=mine.value, deviation=one, at=NOW) for one in (50, 350))
    assert rated(fresh, unknown, 1, NOW).value < rated(fresh, known, 1, NOW).value


@given(ratings, st.integers(0, 4000), st.integers(0, 4000))
def test_time_only_raises_the_deviation(mine, days, more):
    earlier, later = mine.aged(mine.at + days * DAY), mine.aged(mine.at + (days + more) * DAY)
    assert mine.deviation <= earlier.deviation <= later.deviation <= MAX_DEVIATION
    assert later.value == mine.value


def test_sixty_points_of_doubt_become_provisional_in_one_year():
    mine = Rating(1700, 60, 0.06, games=30, at=NOW)
    assert not mine.aged(NOW + 364 * DAY).provisional
    assert mine.aged(NOW + 366 * DAY).provisional
    assert mine.established_until == pytest.approx(NOW + 365 * DAY, abs=DAY)


@given(ratings)
def test_sure_until_is_when_a_rating_becomes_provisional(mine):
    assert (mine.established_until == 0) == mine.provisional
    if not mine.provisional:
        assert mine.aged(mine.established_until - 1000).deviation <= PROVISIONAL_ABOVE + 1e-6
        assert mine.aged(mine.established_until + PERIOD_MS).provisional


def test_a_newcomers_deviation_does_not_grow_and_the_first_game_moves_them_far():
    newcomer = Rating()
    assert newcomer.provisional
    assert newcomer.aged(NOW) == newcomer
    won, lost = rated(newcomer, newcomer, 1, NOW), rated(newcomer, newcomer, 0, NOW)
    assert won.value + lost.value == pytest.approx(3000, abs=0.01)
    assert won.rounded == 1662
    assert won.deviation == pytest.approx(290.23, abs=0.01)


def test_a_game_that_ends_before_the_last_one_rated_does_not_turn_time_back():
    mine = Rating(1500, 60, games=3, at=NOW)
    assert rated(mine, mine, 1, NOW - DAY).at == NOW


@pytest.mark.parametrize("gained", [0, 300])
def test_with_the_tau_of_lichess_ratings_would_be_the_same(monkeypatch, gained):
    """Also those of somebody who is suddenly 300 points stronger than they have been."""

    def course(tau):
        monkeypatch.setattr(rating, "TAU", tau)
        draw, mine, values = random.Random(gained), Rating(), []
        for day in range(400):
            opponent = Rating(1500 + draw.gauss(0, 200), 60, games=50, at=day * DAY)
            strength = 1500 + (gained if day >= 200 else 0)
            expected = 1 / (1 + 10 ** ((opponent.value - strength) / 400))
            mine = rated(mine, opponent, int(draw.random() < expected), day * DAY)
            values.append(mine.value)
        return values

    assert course(0.5) == pytest.approx(course(0.75), abs=0.1)
