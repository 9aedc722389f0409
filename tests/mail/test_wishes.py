"""What people want to be told by mail and how often: only what they have chosen, also after years and releases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.mail.wishes import (
    CHOICES,
    KINDS,
    MESSAGE,
    REMINDER,
    RESULT,
    TURN,
    Frequency,
    how_often,
    push_frequency,
    silent_wishes,
    wants_any,
    wishes_for,
)

CHOSEN = st.fixed_dictionaries({kind: st.sampled_from(choices) for kind, choices in CHOICES.items()})


@given(CHOSEN)
def test_each_kind_is_chosen_by_itself(chosen):
    wishes = wishes_for(chosen)
    assert {kind: how_often(wishes, kind) for kind in KINDS} == chosen
    assert wants_any(wishes) == any(often is not Frequency.NEVER for often in chosen.values())


def test_who_has_chosen_nothing_is_told_nothing():
    assert not wants_any(wishes_for({}))


def test_a_wish_of_another_release_is_no_wish_for_anything_else():
    stored = ("turn:weekly", "poem:at_once", "reminder:daily", f"{RESULT}:at_once")
    assert [kind for kind in KINDS if how_often(stored, kind) is not Frequency.NEVER] == [RESULT]


def test_it_is_stored_as_earlier_releases_have_stored_it():
    assert wishes_for({TURN: Frequency.AT_ONCE}) == ("turn:at_once",)


@pytest.mark.parametrize(("stored", "often"), [((), Frequency.NEVER), (("turn:daily",), Frequency.AT_ONCE)])
def test_where_nothing_is_said_of_reminders_they_are_told_where_turns_are(stored, often):
    assert how_often(stored, REMINDER) is often


@pytest.mark.parametrize("often", Frequency)
def test_where_nothing_is_said_of_messages_they_are_told_as_often_as_turns(often):
    assert how_often((f"{TURN}:{often}",), MESSAGE) is often


@given(CHOSEN)
def test_web_push_tells_each_kind_as_often_as_it_was_chosen(chosen):
    assert {kind: push_frequency(silent_wishes(chosen), kind) for kind in KINDS} == chosen


def test_web_push_tells_at_once_what_nobody_has_chosen_otherwise_and_reads_what_earlier_releases_have_stored():
    stored = (TURN, "result:weekly", "reminder:daily")
    assert [push_frequency(stored, kind) for kind in (TURN, RESULT, REMINDER, "")] == [
        Frequency.NEVER,
        *[Frequency.AT_ONCE] * 3,
    ]
