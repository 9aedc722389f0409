"""What people want to be told of: one wish for each kind, and never unless they said so."""

from server.mail.wishes import AT_ONCE, NEVER, TURN, how_often, with_wish


def test_nobody_is_told_of_anything_they_did_not_choose():
    assert how_often((), TURN) == NEVER
    assert how_often(("other:at_once",), TURN) == NEVER
    assert how_often(("turn:some day",), TURN) == NEVER


def test_the_latest_choice_counts_and_leaves_other_kinds_alone():
    chosen = with_wish(("other:at_once",), TURN, AT_ONCE)
    assert (how_often(chosen, TURN), with_wish(chosen, TURN, AT_ONCE)) == (AT_ONCE, chosen)
    assert with_wish(chosen, TURN, NEVER) == ("other:at_once",)
