"""What people want to be told by mail: only what they have chosen, also after years and releases."""

import pytest

from server.mail.wishes import KINDS, RESULT, TURN, is_wanted, wishes_for


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_chosen_by_itself(kind):
    wishes = wishes_for([kind])
    assert [one for one in KINDS if is_wanted(wishes, one)] == [kind]


def test_who_has_chosen_nothing_is_told_nothing():
    assert not any(is_wanted(wishes_for([]), kind) for kind in KINDS)


def test_a_wish_of_another_release_is_no_wish_for_anything_else():
    stored = ("turn:weekly", "poem:at_once", f"{RESULT}:at_once")
    assert [kind for kind in KINDS if is_wanted(stored, kind)] == [RESULT]


def test_it_is_stored_as_earlier_releases_have_stored_it():
    assert wishes_for([TURN]) == ("turn:at_once",)
