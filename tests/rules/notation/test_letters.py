"""Letters of another tradition: derived from how pieces move, shown and read alike, and never for two pieces."""

import random
from dataclasses import replace

import pytest

from server.mail.inbound.intended_moves import move_typed
from server.pictures.text_board import letter_board
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.making import play_trusted
from server.rules.notation.fen import start_position
from server.rules.notation.letters import OWN, PBMSERV, letters_of
from server.rules.notation.san import format_san
from tests.support.rules.built_in import VARIANTS

PLIES = 60


@pytest.mark.parametrize(
    ("variant", "theirs"),
    [
        ("chess", {}),
        ("grand", {"C": "M", "A": "C"}),
        ("gothic", {"C": "M", "A": "C"}),
        ("seirawan", {"E": "M", "H": "C"}),
        ("shogun", {}),
        ("acedrex", {}),
    ],
)
def test_pieces_are_named_for_how_they_move(variant, theirs):
    assert letters_of(VARIANTS[variant], PBMSERV).theirs == theirs


def test_names_do_not_matter():
    grand = VARIANTS["grand"]
    renamed = replace(grand, roles=tuple(replace(role, name="piece", id=role.id) for role in grand.roles))
    assert letters_of(renamed, PBMSERV).theirs == {"C": "M", "A": "C"}


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_no_two_pieces_get_the_same_letter(variant):
    letters = letters_of(variant, PBMSERV)
    shown = [letters.san(role.san) for role in variant.roles]
    assert len(shown) == len(set(shown))
    assert letters_of(variant, "") == letters_of(variant, "unknown") == OWN


def test_the_board_is_that_of_the_play_by_mail_servers():
    grand = VARIANTS["grand"]
    board = letter_board(start_position(grand), "White", "Black", letters_of(grand, PBMSERV))
    assert "   9 |:::|*N*|*B*|*Q*|*K*|*M*|*C*|*B*|*N*|   |  9" in list(board)


def typings(letters, san, uci):
    """Ways to type that move with these letters."""
    shown, squares = letters.san(san), letters.uci(uci)
    # Behind squares a plus could be a check or what the piece becomes.
    of_squares = set() if squares.endswith("+") else {squares}
    return {shown, shown.rstrip("+#"), shown.replace("x", "")} | of_squares


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_move_is_read_as_it_is_shown(variant, seed):
    letters, draw = letters_of(variant, PBMSERV), random.Random(f"{seed} {variant.id}")
    position = start_position(variant)
    for _ in range(PLIES):
        moves = legal_moves(position)
        if not moves:
            return
        special = [move for move in moves if any(sign in format_san(position, move) for sign in "=/@")]
        for move in draw.sample(moves, min(3, len(moves))) + draw.sample(special, min(3, len(special))):
            for typed in typings(letters, format_san(position, move), move.uci):
                assert move_typed(position, typed, letters) == move, typed
        position = play_trusted(position, draw.choice(special or moves))
