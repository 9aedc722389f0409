"""An append-only sequence is a tuple that grows cheaply: whatever is done with it, it equals the tuple of its items."""

from dataclasses import FrozenInstanceError, fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.append_only import AppendOnlySequence
from server.games.changes.playing import PlayMove
from server.games.frozen import replace
from server.rules.variant.pieces import Color
from tests.support.games import running_game


def test_growing_leaves_the_shorter_sequence_unchanged():
    two = AppendOnlySequence("ab")
    three = two.appended("c")
    other = two.appended("x")
    assert (two[:], three[:], other[:]) == (("a", "b"), ("a", "b", "c"), ("a", "b", "x"))
    assert three.appended("d")[:] == ("a", "b", "c", "d")
    assert (len(two), len(three)) == (2, 3)


def test_nothing_is_copied_while_it_grows():
    sequence = first = AppendOnlySequence()
    for number in range(1000):
        sequence = sequence.appended(number)
    assert sequence._items is first._items


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3))))
def test_it_is_the_tuple_of_its_items_whatever_grew_out_of_it(steps):
    sequences, tuples = [AppendOnlySequence()], [()]
    for back, item in steps:
        at = max(0, len(sequences) - 1 - back)
        sequences.append(sequences[at].appended(item))
        tuples.append((*tuples[at], item))
    for sequence, same in zip(sequences, tuples, strict=True):
        assert (sequence[:], tuple(sequence), len(sequence), sequence[1:-1]) == (same, same, len(same), same[1:-1])
        assert [sequence[at] for at in range(-len(same), len(same))] == [*same, *same]
        for one, other in zip(sequences, tuples, strict=True):
            assert (sequence == one) == (same == other)
            assert sequence.starts_with(one) == (same[: len(other)] == other)
            assert same != other or hash(sequence) == hash(one)


@pytest.mark.parametrize("at", [2, -3])
def test_indexing_beyond_the_end_fails(at):
    shorter = AppendOnlySequence("ab")
    shorter.appended("c")
    with pytest.raises(IndexError):
        shorter[at]


def test_a_copy_has_the_changes_and_keeps_the_rest():
    game = running_game()
    copy = replace(game, rev=game.rev + 1, next="other")
    assert (copy.rev, copy.next) == (game.rev + 1, "other")
    assert replace(copy, rev=game.rev, next=game.next) == game
    with pytest.raises(AttributeError):
        replace(game, nothing=1)


def test_a_copy_is_as_frozen_as_what_it_copies():
    for value in (running_game(), PlayMove(Color.WHITE, "e2e4", 0)):
        copy = replace(value)
        assert type(copy) is type(value)
        assert copy == value
        with pytest.raises(FrozenInstanceError):
            setattr(copy, fields(value)[0].name, None)
