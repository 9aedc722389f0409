"""Castling in the standard game, on ten files, and in the 960 form."""

import pytest

from server.rules.movegen.legal import legal_moves
from server.rules.movegen.moves import Castle
from server.rules.notation.fen import format_fen, parse_fen
from tests.support.rules.boards import after


def castlings(variants, name, fen, chess960=False):
    return {move.uci for move in legal_moves(parse_fen(variants[name], fen, chess960)) if isinstance(move, Castle)}


@pytest.mark.parametrize(
    ("fen", "found"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", {"e1g1", "e1c1"}),
        ("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", {"e1g1"}),
        ("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", {"e1c1"}),
        ("1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", {"e1c1"}),
        ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", set()),
        ("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", set()),
        ("4k3/8/8/8/8/8/6p1/4K2R w K - 0 1", set()),
    ],
)
def test_chess(variants, fen, found):
    assert castlings(variants, "chess", fen) == found


def test_ten_files_have_their_own_squares(variants):
    fen = "5k4/10/10/10/10/10/10/R4K3R w KQ - 0 1"
    position = parse_fen(variants["capablanca"], fen)
    assert castlings(variants, "capablanca", fen) == {"f1i1", "f1c1"}
    assert format_fen(after(position, "f1i1")) == "5k4/10/10/10/10/10/10/R6RK1 b - - 1 1"
    assert format_fen(after(position, "f1c1")) == "5k4/10/10/10/10/10/10/2KR5R b - - 1 1"


@pytest.mark.parametrize(
    ("fen", "found"),
    [
        ("4k3/8/8/8/8/8/8/NR1K2R1 w GB - 0 1", {"d1g1", "d1b1"}),
        ("4k3/8/8/8/8/8/8/R5KR w HA - 0 1", {"g1h1", "g1a1"}),
        ("8/4k3/8/8/8/8/8/5KR1 w G - 0 1", {"f1g1"}),
        ("4k3/8/8/8/8/8/8/K1R3RR w G - 0 1", set()),
        ("4k3/8/8/8/8/8/8/RN1K3R w HA - 0 1", {"d1h1"}),
        ("3k1r2/8/8/8/8/8/8/1K5R w H - 0 1", set()),
    ],
)
def test_chess960(variants, fen, found):
    assert castlings(variants, "chess", fen, True) == found


def test_the_rook_may_not_uncover_a_check(variants):
    assert castlings(variants, "chess", "1k6/8/8/8/8/8/8/qRK5 w B - 0 1", True) == set()


def test_rights_end_when_king_or_rook_moves_or_the_rook_is_taken(variants):
    position = parse_fen(variants["chess"], "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert format_fen(after(position, "h1h8")).split()[2] == "Qq"
    assert format_fen(after(position, "e1e2")).split()[2] == "kq"
    assert format_fen(after(position, "a1b1", "e8d8")).split()[2] == "K"


def test_a_dropped_rook_does_not_castle(variants):
    position = parse_fen(variants["crazyhouse"], "4k3/8/8/8/8/8/8/4K3[RP] w - - 0 1")
    moved = after(position, "R@h1", "e8d8")
    assert not any(isinstance(move, Castle) for move in legal_moves(moved))


def test_a_promoted_rook_does_not_castle(variants):
    assert castlings(variants, "shogun", "r3k2r/8/8/8/8/8/8/R3K2+R[] w Qkq - 0 1") == {"e1c1"}


@pytest.mark.parametrize(
    ("drops", "rights"),
    [
        ("K@e1 K@e8 R@h1", "K"),
        ("R@a1 R@h8 R@h1 R@a8 K@e1 K@d8", "KQ"),
        ("K@e1 K@e8 R@b1 R@g8 R@h1 R@a8", "Kq"),
        ("K@d1 K@d8 R@a1 R@h8", "-"),
    ],
)
def test_the_set_up_earns_rights(variants, drops, rights):
    position = parse_fen(variants["placement"], variants["placement"].start_fen)
    assert format_fen(after(position, *drops.split())).split()[2] == rights


def test_grand_has_no_castling_even_if_the_fen_says_so(variants):
    assert format_fen(parse_fen(variants["grand"], "4k5/10/10/10/10/10/10/10/10/R3K4R w KQ - 0 1")).split()[2] == "-"


def test_rights_end_when_the_king_is_taken_on_the_analysis_board(variants):
    position = parse_fen(variants["chess"], "4k3/8/8/8/8/8/4q3/4K2R b K - 0 1")
    assert format_fen(after(position, "e2e1")) == "4k3/8/8/8/8/8/8/4q2R w - - 0 2"
