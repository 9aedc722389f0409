"""Who meets whom: never two who must not, nobody left who could play, and the best there is for few."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.tournaments.matching import EXACT, SINGLE, match_people
from server.rules.sliced_work import run_at_once


def costs(count, forbidden):
    return lambda one, other: None if frozenset((one, other)) in forbidden else abs(one - other) * 100 + (one + other)


def matched(count, cost):
    return run_at_once(match_people(count, cost))


@st.composite
def crowds(draw, most):
    """How many people, and who must not meet: some last opponents of each, so a few are much in demand."""
    count = draw(st.integers(0, most))
    seed = Random(draw(st.integers(0, 10**6)))
    each = draw(st.integers(0, 2))
    pairs = {frozenset((one, seed.randrange(count))) for one in range(count) for _ in range(each)}
    return count, {pair for pair in pairs if len(pair) == 2}


@given(crowds(60))
def test_nobody_meets_two_or_whom_they_must_not_and_no_two_who_may_meet_are_left(crowd):
    count, forbidden = crowd
    pairs = matched(count, costs(count, forbidden))
    met = [person for pair in pairs for person in pair]
    assert len(met) == len(set(met))
    assert set(met) <= set(range(count))
    assert all(frozenset(pair) not in forbidden for pair in pairs)
    left = set(range(count)) - set(met)
    assert all(frozenset((one, other)) in forbidden for one in left for other in left if one != other)


def price(pairs, count, cost):
    return sum(cost(*pair) for pair in pairs) + SINGLE * (count - 2 * len(pairs))


def cheapest(free, cost):
    """By looking at every way, in another manner than the code does."""
    if len(free) < 2:
        return SINGLE * len(free)
    ways = [SINGLE + cheapest(free[1:], cost)]
    for other in free[1:]:
        if (own := cost(free[0], other)) is not None:
            ways.append(own + cheapest([one for one in free[1:] if one != other], cost))
    return min(ways)


@given(crowds(7))
def test_few_people_are_paired_in_the_best_way(crowd):
    count, forbidden = crowd
    cost = costs(count, forbidden)
    assert price(matched(count, cost), count, cost) == cheapest(list(range(count)), cost)


@pytest.mark.parametrize("count", [EXACT + 2, 40, 100])
def test_many_people_are_paired_nearly_in_the_best_way(count):
    """Neighbours meet, as nobody must not; that is the best, and known without a search."""
    cost = costs(count, frozenset())
    best = sum(cost(one, one + 1) for one in range(0, count, 2))
    assert price(matched(count, cost), count, cost) <= best * 1.05


@given(st.integers(EXACT // 2 + 1, 20), st.integers(0, 10**6))
def test_all_are_paired_if_there_is_a_way_however_few_may_meet(half, seed):
    chance = Random(seed)
    people = list(range(2 * half))
    chance.shuffle(people)
    allowed = {frozenset(people[at : at + 2]) for at in range(0, 2 * half, 2)}  # the way
    allowed |= {frozenset(chance.sample(people, 2)) for _ in range(chance.randrange(3 * half))}
    pairs = matched(2 * half, lambda one, other: one + other if frozenset((one, other)) in allowed else None)
    assert len(pairs) == half
    assert {frozenset(pair) for pair in pairs} <= allowed
    assert sorted(person for pair in pairs for person in pair) == list(range(2 * half))


def test_a_pair_parts_for_two_who_are_left_and_must_not_meet():
    forbidden = {frozenset((one, other)) for one, other in permutations(range(10, 14), 2)}
    pairs = matched(14, costs(14, forbidden))
    assert len(pairs) == 7
