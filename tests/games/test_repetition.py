"""The keys of a game are the tuple that they were made as, whatever grew out of them."""

from hypothesis import given
from hypothesis import strategies as st

from server.games.append_only import RepetitionHistory
from server.rules.movegen.legal import KEY_BYTES


def key(number):
    return bytes([number]) * KEY_BYTES


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3))))
def test_they_are_the_tuple_that_they_grew_to(steps):
    grown, tuples = [RepetitionHistory([key(0)])], [(key(0),)]
    for back, number in steps:
        at = max(0, len(grown) - 1 - back)
        grown.append(grown[at].appended(key(number)))
        tuples.append((*tuples[at], key(number)))
    for keys, same in zip(grown, tuples, strict=True):
        assert (len(keys), keys.last, keys.times_seen()) == (len(same), same[-1], same.count(same[-1]))
        assert all(
            keys.without_last(count) == RepetitionHistory(same[: len(same) - count]) for count in range(len(same))
        )
        for others, other in zip(grown, tuples, strict=True):
            assert (keys == others) == (same == other)
            assert same != other or hash(keys) == hash(others)


def test_nothing_is_copied_while_they_grow():
    keys = first = RepetitionHistory([key(0)])
    for number in range(1, 200):
        keys = keys.appended(key(number))
    assert keys._packed is first._packed
