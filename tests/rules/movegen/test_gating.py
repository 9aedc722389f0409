"""Gating: a piece from the pocket on the square that a first-rank piece leaves."""

import pytest

from server.rules.movegen.legal import legal_moves
from server.rules.movegen.moves import Castle
from server.rules.notation.fen import format_fen, parse_fen
from tests.support.rules.boards import after, ucis

CASTLES = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R[HEhe] w KQkq - 0 1"


def rights(position):
    return format_fen(position).split()[2]


def test_one_piece_enters_with_the_first_move(variants):
    position = parse_fen(variants["seirawan"], variants["seirawan"].start_fen)
    assert ucis(position, "b1") == {"b1a3", "b1a3h", "b1a3e", "b1c3", "b1c3h", "b1c3e"}
    moved = after(position, "b1c3h")
    assert format_fen(moved) == "rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/RHBQKBNR[Eeh] b KQCDFGkqbcdfg - 1 1"
    assert ucis(after(moved, "a7a6"), "c3") == {"c3b5", "c3d5", "c3a4", "c3e4", "c3b1"} - {"c3b1"}


def test_castling_gates_on_one_of_two_squares(variants):
    position = parse_fen(variants["seirawan"], CASTLES)
    assert ucis(position, "e1g1") == {"e1g1", "e1g1h", "e1g1e"}
    assert ucis(position, "h1e1") == {"h1e1h", "h1e1e"}
    assert format_fen(after(position, "e1g1h")).split()[0].endswith("/R3HRK1[Eeh]")
    assert format_fen(after(position, "h1e1h")).split()[0].endswith("/R4RKH[Eeh]")


def test_no_gate_where_king_or_rook_lands(variants):
    fen = "4k3/8/8/8/8/8/8/1R1K2R1[HE] w KQ - 0 1"
    position = parse_fen(variants["seirawan"], fen, chess960=True)
    gates = {move.uci for move in legal_moves(position) if isinstance(move, Castle) and move.gate == "h"}
    assert gates == {"d1g1h", "b1d1h"}


@pytest.mark.parametrize(
    ("moves", "left"),
    [
        ("e1g1", "Akq"),
        ("e1d1", "AHkq"),
        ("h1g1", "Qkq"),
        ("a1b1 a8b8 h1g1 h8g8", "Ee"),
        ("e1g1h e8g8 a1b1e", "a"),
    ],
)
def test_rights_after(variants, moves, left):
    assert rights(after(parse_fen(variants["seirawan"], CASTLES), *moves.split())) == left


def test_a_right_goes_with_the_piece_that_is_taken(variants):
    position = parse_fen(variants["seirawan"], "4k3/8/8/8/4b3/8/8/1N2K3[HEhe] b BE - 0 1")
    assert rights(after(position, "e4b1")) == "E"


def test_a_gated_piece_does_not_answer_a_check(variants):
    pinned = parse_fen(variants["seirawan"], "k7/8/8/8/8/8/8/r2NK3[HE] w DE - 0 1")
    assert ucis(pinned, "d1") == set()
    checked = parse_fen(variants["seirawan"], "4r1k1/8/8/8/8/8/8/3QKB2[HE] w DEF - 0 1")
    assert {"f1e2", "f1e2h", "e1f2e"} <= ucis(checked)
    assert all(not move.startswith("d1d") for move in ucis(checked))


def test_what_may_be_gated(variants):
    """With captures any piece but a pawn; the rights stay while the pocket is empty."""
    start = variants["shouse"].start_fen
    held = parse_fen(variants["shouse"], start.replace("EHeh", "QNPHEhe"))
    assert ucis(held, "b1c3") == {"b1c3", "b1c3q", "b1c3n", "b1c3h", "b1c3e"}
    empty = parse_fen(variants["shouse"], start.replace("EHeh", ""))
    assert rights(after(empty, "e2e4")) == "KQBCDFGkqbcdfg"
    assert rights(parse_fen(variants["seirawan"], start.replace("EHeh", ""))) == "KQkq"


def test_a_dropped_piece_cannot_bring_another(variants):
    position = parse_fen(variants["shouse"], "4k3/8/8/8/8/8/8/4K3[HN] w E - 0 1")
    assert all(len(move) == 4 for move in ucis(after(position, "N@b1", "e8d8"), "b1"))


def test_gating_does_not_reset_the_clock(variants):
    position = parse_fen(variants["seirawan"], CASTLES.replace(" 0 1", " 7 9"))
    assert after(position, "e1d1h").halfmoves == 8
