"""Levels differ: the higher of two wins, and a beginner beats the lowest. The games are the same each time."""

import json
import subprocess
from pathlib import Path

import pytest

from server.rules.variant.rule_data import rule_data
from tests.support.rules.built_in import VARIANTS

pytestmark = pytest.mark.slow

PROGRAM = Path(__file__).parents[1] / "support/engine/match.mjs"
GAMES = 6
BEGINNER = 0


def match(variant, *levels):
    """What the first level scores against the second, of GAMES."""
    question = {"variant": rule_data(variant), "levels": levels, "games": GAMES, "plies": 160, "seed": 1}
    done = subprocess.run(["node", PROGRAM], input=json.dumps(question), capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["score"]


@pytest.mark.parametrize(
    "name", ["chess", "crazyhouse", "grandhouse", "seirawan", "shogun", "acedrex", "kingofthehill", "3check"]
)
def test_a_level_beats_the_second_below_it(name):
    assert match(VARIANTS[name], 3, 1) > GAMES / 2
    assert match(VARIANTS[name], 6, 4) > GAMES / 2


def test_a_beginner_beats_the_lowest_level_and_loses_to_a_higher_one():
    played = [VARIANTS[name] for name in ("chess", "crazyhouse", "seirawan", "shogun")]
    assert sum(match(variant, 1, BEGINNER) for variant in played) < GAMES * len(played) / 2
    assert match(VARIANTS["chess"], 6, BEGINNER) > GAMES / 2
