"""Boards of letters in the layout of the classic play-by-mail servers, of every size."""

import pytest

from server.language import english, load_words
from server.pictures.text_board import letter_board
from server.rules.notation.fen import parse_fen, start_position
from server.rules.variant.piece_codes import BLACK
from server.web.variant_words import counts_in_words, goal_in_words, names_in
from tests.support.rules.built_in import EVERY_VARIANT, VARIANTS

SMALL = """
       a   b   c   d   e   f   g   h
     +---+---+---+---+---+---+---+---+    Black
   8 |   |:::|   |:::|*K*|:::|   |:::|  8
     +---+---+---+---+---+---+---+---+
   7 |:P:|   |:::|   |:::|   |:::|   |  7
     +---+---+---+---+---+---+---+---+
   6 |   |:::|   |:::|   |:::|   |:::|  6
     +---+---+---+---+---+---+---+---+
   5 |:::|   |:::|*Q~|:::|   |:::|   |  5
     +---+---+---+---+---+---+---+---+
   4 |   |:::|   |:::| Q~|:Q~|   |:::|  4
     +---+---+---+---+---+---+---+---+
   3 |:::|   |:::|   |:::|   |:::|   |  3
     +---+---+---+---+---+---+---+---+
   2 |   |:::|   |:::|   |:::| P |:::|  2
     +---+---+---+---+---+---+---+---+
   1 |:::|   |:::|   |:K:|   |:::|   |  1
     +---+---+---+---+---+---+---+---+    White
       a   b   c   d   e   f   g   h
"""


def test_pieces_stand_on_light_and_dark_squares():
    fen = "4k3/P7/8/3q~4/4Q~Q~2/8/6P1/4K3[] b - - 0 1"
    lines = letter_board(parse_fen(VARIANTS["crazyhouse"], fen), "White", "Black")
    assert "\n".join(lines) == SMALL.strip("\n")


def test_checks_are_counted_in_words_beside_the_pockets():
    position = parse_fen(EVERY_VARIANT["3check"], "4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1")
    names = names_in("en", EVERY_VARIANT)["3check"]
    said = list(counts_in_words(position, names, english().plain))
    assert said == ["White has given 2 of 3 checks.", "Black has given 0 of 3 checks."]


@pytest.mark.parametrize(
    ("language", "name", "said"),
    [
        ("en", "kingofthehill", "A side wins at once when its king reaches d4, e4, d5 or e5."),
        ("es", "kingofthehill", "Un bando gana en el acto cuando el rey de su color llega a d4, e4, d5 o e5."),
        ("en", "orda", "White wins at once when the king reaches a8–h8, and Black by reaching a1–h1."),
        ("en", "chess", ""),
    ],
)
def test_the_squares_that_win_are_told_in_words_for_each_side(language, name, said):
    names = names_in(language, EVERY_VARIANT)[name]
    assert goal_in_words(EVERY_VARIANT[name], names, load_words()[language].plain) == said


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_start_is_all_there(variant):
    position = start_position(variant)
    lines = list(letter_board(position, "Anna", "Ben"))
    assert len(lines) == 2 * variant.ranks + 3
    assert lines[1].endswith("+    Ben")
    assert lines[-2].endswith("+    Anna")
    assert max(map(len, lines)) < 80
    for rank in range(variant.ranks):
        row = lines[2 * (variant.ranks - rank)]
        number, *cells, again = row.split("|")
        assert (int(number), int(again)) == (rank + 1, rank + 1)
        for file, cell in enumerate(cells):
            square = variant.geometry.square(file, rank)
            code = position.board[square]
            kind = position.tables.codes.kinds[code]
            ground = ":" if variant.geometry.is_dark(square) else " "
            edge = "*" if code > BLACK else ground
            assert cell == f"{edge}{kind.role.san if kind else ground}{edge}"
