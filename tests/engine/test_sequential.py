"""The sequential test of a match: it is right about most, and needs few games where much is between the sides."""

import random
from itertools import islice

import pytest

from tests.support.engine.sequential import FEWEST, Match


def games(share, seed):
    """Results of a side that scores that share on average, some of them draws."""
    draw = random.Random(seed)
    while True:
        yield 0.5 if draw.random() < 0.3 else float(draw.random() < (share - 0.15) / 0.7)


@pytest.mark.parametrize(("share", "verdict"), [(0.8, True), (0.7, True), (0.3, False), (0.45, False)])
def test_most_verdicts_are_right(share, verdict):
    matches = [Match(0.5, 0.65).take(islice(games(share, seed), 400)) for seed in range(60)]
    assert sum(match.verdict is verdict for match in matches) >= 54
    assert sum(match.games for match in matches) / 60 < 100


def test_nothing_is_said_after_few_games_and_no_more_are_played_than_needed():
    asked = []
    always = (asked.append(1) or 1.0 for _ in range(1_000))
    match = Match(0.5, 0.65).take(always)
    assert match.verdict is True
    assert FEWEST <= match.games == len(asked) < 40
    assert Match(0.5, 0.65).take([1.0] * (FEWEST - 1)).verdict is None
    assert (Match(0.5, 0.65).share, Match(0.5, 0.65).games) == (0.5, 0)
