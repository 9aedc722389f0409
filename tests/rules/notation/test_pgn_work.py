"""What reading a hostile file costs, counted and not timed: steps of the interpreter for each character.

The rows are what a search by hill climbing found to be dearest, of repeated tokens behind a beginning, in one game or
in many. Legal moves are not among them: they are counted half-move by half-move.
"""

import random
import sys
from contextlib import suppress

import pytest

from server.rules.errors import InvalidPgn
from server.rules.notation import pgn_file
from server.rules.notation.pgn_file import split_games
from server.rules.sliced_work import run_at_once
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.pgn_texts import read_pgn

SIZE = 16_000
MOST = 30
"""Calls of functions for a character, of Python's own too; plain moves make about as many."""
A_GAME = 40_000
"""Calls for each game, however short it is: its beginning may be read in ten languages."""
GROWTH = 2.5
TOKENS = (
    *("\n", "\n\n", " ", "[", "]", '"', "{", "}", "(", ")", ";", "%", "\n%", "$1", "!", "!?", "<", "</", "<b", "</b>"),
    *("<!--", "&", "&a", "&amp;", "&#x", "*", "1-0", "1/2-1/2", "½", "1.", "1...", "2.", "1", "9", "a", "N", "D", "x"),
    *("Ab", "abc ", '[Event "x"]', "[a", '[A "b"]', "White ", "\\", "-", "--", "+", "=", "@", ",", ".", "±", "é", "`"),
    *("\u200b", "P-K4", "(D)", "(e.p.)", "[%clk 0:0:1]", "[%clk", "dxc", "the ", "Event: ", "0:01", "\n[", "\n1."),
)
HEADS = ("", "1. e4 ", "1. e4 1-0\n\n", '[Event "x"]\n', "1. Sf3 ", "1. e4 e5 2. Dh5 ", "1. e4 (", "{a} ", "1. e4 *\n")


def calls_of(text):
    """How many functions are called to cut and read that text."""
    calls = 0

    def count_call(frame, event, argument):
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count_call)
    try:
        for piece in run_at_once(split_games(text, 200)):
            with suppress(InvalidPgn):
                read_pgn(piece.text, VARIANTS)
    finally:
        sys.setprofile(before)
    return calls


def repeated(head, unit, games, size=SIZE):
    """A text of about that size: `unit` again and again behind a `head`, in so many games."""
    each = size // games
    row = (head + unit * (each // len(unit) + 1))[:each]
    return row if games == 1 else "\n".join(f'\n[Event "x"]\n\n{row}\n' for _ in range(games))


@pytest.mark.parametrize(
    ("head", "unit", "games"),
    [
        *(("", unit, 1) for unit in ("<\n", "\n[a", "</a", "1. ", "Ab\n", "a\n\n", "[a\n", "1\n", ";\n", "<b>")),
        ("1. e4 1-0\n\n", '"\n', 1),
        ("1. e4 1-0\n\n", "[a b]\n\n", 1),
        ("1. e4 e5 2. Sf3 ", "]`", 3),
        ("1. e4 e5 2. Dh5 ", "<b", 3),
        ("1. Sf3 ", "&#x1...(", 3),
        ('[Variant "Acedrex"]\n\n', "<b", 1),
        *(("1. e4 ", unit, 3) for unit in ("abc ", "N ", "x y ")),
    ],
)
def test_what_a_hostile_text_costs_grows_with_its_length_and_little(head, unit, games):
    text = repeated(head, unit, games)
    calls = calls_of(text)
    assert calls <= MOST * len(text)
    assert calls_of(repeated(head, unit, games, 2 * SIZE)) <= GROWTH * calls + 10_000


@pytest.mark.slow
def test_what_any_repeated_tokens_cost_is_as_little(seed, scale):
    rng = random.Random(f"{seed} work")
    for _ in range(scale(300)):
        head, unit = rng.choice(HEADS), "".join(rng.choices(TOKENS, k=rng.randrange(1, 7)))
        games = rng.choice((1, 3))
        text = repeated(head, unit, games, 4_000)
        found = len(run_at_once(split_games(text, 200)))
        assert calls_of(text) <= MOST * len(text) + A_GAME * found, (head, unit)


def test_games_are_looked_for_in_so_many_blocks_only_and_no_text_is_lost(monkeypatch):
    monkeypatch.setattr(pgn_file, "MOST_BLOCKS", 1_000)
    for text in ("{a} e4 " * 10_000, "<b>" * 10_000 + "1. e4", '1. e4 1-0\n\n[Event "x"]\n\n1. d4 *\n\n' * 1_000):
        pieces = run_at_once(split_games(text, 10_000))
        assert "".join(piece.text for piece in pieces) == text
        assert len(pieces) <= 200
    with pytest.raises(InvalidPgn, match="several"):
        read_pgn(pieces[-1].text, VARIANTS)
