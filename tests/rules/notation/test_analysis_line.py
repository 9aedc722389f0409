"""A line on the analysis board: a takeback leads to where one was, and what cannot be played is named by its place."""

import pytest

from server.rules.notation.analysis_line import IllegalLine, play_line
from server.rules.notation.fen import start_position
from server.rules.sliced_work import run_at_once


@pytest.fixture
def tried(variants):
    return lambda *steps: run_at_once(play_line(start_position(variants["chess"]), steps))


def test_a_variation_leads_to_the_same_as_the_line_played_straight(tried):
    straight = tried("e2e4", "c7c5", "g1f3")
    with_variation = tried("e2e4", "e7e5", "f1c4", 2, "c7c5", "g1f3")
    assert with_variation.moves[-2:] == straight.moves[-2:]
    assert with_variation.legal == straight.legal


def test_all_can_be_taken_back_and_no_more(tried):
    assert len(tried("e2e4", "e7e5", 2).legal) == 20
    with pytest.raises(IllegalLine) as refusal:
        tried("e2e4", "e7e5", 3)
    assert refusal.value.at == 2
    with pytest.raises(IllegalLine):
        tried(1)


def test_the_first_bad_step_is_named(tried):
    for bad in ("e2e5", "nonsense", "P@e4", "e7e5"):
        with pytest.raises(IllegalLine) as refusal:
            tried("e2e4", 1, bad, "d2d4")
        assert refusal.value.at == 2


def test_a_repetition_counts_only_what_was_not_taken_back(tried):
    around = ("g1f3", "g8f6", "f3g1", "f6g8")
    assert tried(*around, *around).outcome.reason == "repetition"
    assert tried(*around, 4, *around).outcome is None
