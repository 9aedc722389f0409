"""Tie-breaks that an organiser can choose, of a tournament counted by hand: four people and three rounds."""

import pytest

from server.games.tournaments.swiss import CHOICES, MEASURES, Line, ranked, tie_of
from server.rules.sliced_work import run_at_once
from server.rules.variant.pieces import Color

W, B = Color.WHITE, Color.BLACK
CARDS = {
    "a": (Line("1", "b", W), Line("=", "c", B), Line("1", "d", W)),
    "b": (Line("0", "a", B), Line("1", "d", W), Line("=", "c", B)),
    "c": (Line("1", "d", W), Line("=", "a", W), Line("=", "b", W)),
    "d": (Line("0", "c", B), Line("0", "b", B), Line("0", "a", B)),
}
"""Points: a 2½, b 1½, c 2, d 0."""
COUNTED = {
    # In halves: opponents of a have 3 + 4 + 0, and so on.
    "buchholz": {"a": 7, "b": 9, "c": 8, "d": 12},
    "cut1": {"a": 7, "b": 9, "c": 8, "d": 9},
    "median": {"a": 3, "b": 4, "c": 3, "d": 4},
    # In quarters: a has beaten b (3 halves) and d (0), and drawn with c (4).
    "sonneborn": {"a": 2 * 3 + 4 + 0, "b": 0 + 0 + 4, "c": 0 + 5 + 3, "d": 0},
    "wins": {"a": 2, "b": 1, "c": 1, "d": 0},
    "won": {"a": 2, "b": 1, "c": 1, "d": 0},
    "blacks": {"a": 1, "b": 2, "c": 0, "d": 3},
    # In halves: after each round a had 1, 1½ and 2½.
    "progressive": {"a": 2 + 3 + 5, "b": 0 + 2 + 3, "c": 2 + 3 + 4, "d": 0},
}


@pytest.mark.parametrize("name", sorted(COUNTED))
def test_it_is_what_counting_by_hand_gives(name):
    tie = tie_of(CARDS)
    assert {one: MEASURES[name](tie, one) for one in CARDS} == COUNTED[name]


def test_a_round_without_a_game_stands_for_a_dummy_and_is_no_game_won():
    cards = {
        "a": (Line("U"), Line("1", "b", W)),
        "b": (Line("1", "c", B), Line("0", "a", B)),
        "c": (Line("0", "b", W), Line("-", "x")),
    }
    tie = tie_of(cards)
    assert [MEASURES[name](tie, "a") for name in ("wins", "won", "sonneborn")] == [2, 1, 2 * 2 + 2 * 2]


def test_all_that_can_be_chosen_is_counted_and_decides_in_the_order_chosen():
    assert set(CHOICES) == {*COUNTED, "direct"}
    cards = {"a": (Line("1", "c", W), Line("0", "d", W)), "b": (Line("0", "d", B), Line("1", "c", B))}
    cards |= {"c": (Line("0", "a", B), Line("0", "b", W)), "d": (Line("1", "b", W), Line("1", "a", B))}
    for ties, first in ((("blacks", "progressive"), "b"), (("progressive", "blacks"), "a")):
        order = run_at_once(ranked(cards, {}, ties))
        assert [one for one, _ in order][:2] == ["d", first]
