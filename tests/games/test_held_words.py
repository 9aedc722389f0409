"""Words that the host holds back are found in a long text, which is looked through in parts, as in a short one."""

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.games.sanctions import LONGEST_HELD, PART, read_plainly, search_for
from server.rules.sliced_work import run_at_once

WORDS = ("rude", "you fool", "ﷺ", "x" * LONGEST_HELD)
SEARCH = search_for(WORDS)
PIECES = (
    "rude",
    "ru\u00adde",
    "RUDE",
    "ru",
    "de",
    "you",
    "fool",
    "ﷺ",
    "é",
    "e\u0301",
    "x" * LONGEST_HELD,
    " ",
    "\n",
    "_",
)


def found_in(text):
    return run_at_once(SEARCH.finding(text))


@pytest.mark.parametrize("word", ["rude", "you\n\n fool", "x" * LONGEST_HELD])
def test_a_word_is_found_across_the_edge_of_a_part_and_is_none_as_a_part_of_another(word):
    for edge in (PART, 2 * PART):
        for before in range(edge - 2 * LONGEST_HELD, edge + 2):
            for text in ("y" * (before - 1) + " ", "y " * (before // 2)):
                assert found_in(f"{text}{word}, he said") == read_plainly(word)
                assert found_in(f"{text}{word}s, he said") is None
                assert found_in(f"{text}y{word}, he said") is None


@given(st.lists(st.sampled_from((*PIECES, "y" * (PART - 9), " y" * (PART // 2 - 9))), max_size=40))
def test_a_text_in_parts_says_what_it_says_as_a_whole(pieces):
    text = "".join(pieces)
    whole = SEARCH.pattern.search(read_plainly(text))
    assert found_in(text) == (whole and whole[0])


def test_a_long_text_is_looked_through_in_many_slices():
    work = search_for(["rude"]).finding("a word " * 20_000)
    assert sum(1 for _ in islice(work, 999)) == pytest.approx(2 * 140_000 / PART, rel=0.01)


def test_there_is_nothing_to_look_for_without_words():
    assert search_for(()) is None
    assert search_for(["\u00ad"]) is None
