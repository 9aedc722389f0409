"""FEN: what is read, how it is written, and what is refused."""

import random
from contextlib import nullcontext

import pytest

from server.rules.errors import InvalidFen
from server.rules.notation.fen import format_fen, parse_fen, shuffled_fen, start_position
from tests.support.rules.boards import after


@pytest.mark.parametrize(
    ("name", "fen", "written"),
    [
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[PNbqR] w - - 0 1", "4k3/8/8/8/8/8/8/4K3[RNPqb] w - - 0 1"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("chess", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"),
        ("chess", "4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4Pp2/8/8/4K3 b - e3 0 1"),
        ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
        ("seirawan", "4k3/8/8/8/8/8/8/4K2R[HEhe] w KE - 0 1", "4k3/8/8/8/8/8/8/4K2R[EHeh] w K - 0 1"),
        ("seirawan", "4k3/8/8/8/8/8/8/4K3[] w  - 0 1", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1"),
        ("shogun", "3+nk3/8/8/8/8/8/8/4K3[] w - - 0 1", "3+nk3/8/8/8/8/8/8/4K3[] w - - 0 1"),
        ("3check", "4k3/8/8/8/8/8/8/4K2R w - - 2+3 5 9", "4k3/8/8/8/8/8/8/4K2R w - - 2+3 5 9"),
        ("3check", "4k3/8/8/8/8/8/8/4K2R w - - 5 9 +1+0", "4k3/8/8/8/8/8/8/4K2R w - - 2+3 5 9"),
        ("3check", "4k3/8/8/8/8/8/8/4K2R w - - 5 9", "4k3/8/8/8/8/8/8/4K2R w - - 3+3 5 9"),
        ("5check", "4k3/8/8/8/8/8/8/4K2R w - - 5 9 +1+0", "4k3/8/8/8/8/8/8/4K2R w - - 4+5 5 9"),
    ],
)
def test_read_and_written(variants, name, fen, written):
    assert format_fen(parse_fen(variants[name], fen)) == written


def test_shuffled_rights_by_file_or_for_the_outermost_rook(variants):
    board = "nr1k2r1/pppppppp/8/8/8/8/PPPPPPPP/NR1K2R1"
    for rights in ("KQkq", "GBgb", "BGbg"):
        position = parse_fen(variants["chess"], f"{board} w {rights} - 0 1", chess960=True)
        assert format_fen(position) == f"{board} w GBgb - 0 1"


def test_runs_of_two_digits(variants):
    position = start_position(variants["acedrex"])
    assert format_fen(position) == variants["acedrex"].start_fen
    text = "k10r/1g10/A11/12/12/12/12/12/12/12/12/10K1 w - - 0 1"
    assert format_fen(parse_fen(variants["acedrex"], text)) == text


@pytest.mark.parametrize(
    ("name", "fen"),
    [
        ("chess", ""),
        ("chess", "8/8/8/8/8/8/8/8 w - - 0 1"),
        ("chess", "4k3/8/8/8/8/8/8/3KK3 w - - 0 1"),
        ("chess", "4k3/8/8/8/8/8/4K3 w - - 0 1"),
        ("chess", "4k4/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("chess", "4k21/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("chess", "4k3/08/8/8/8/8/8/4K3 w - - 0 1"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 x - - 0 1"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w K - 0 1"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - e4 0 1"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 99999 1"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - -1 1"),
        ("chess", "4k3/8/8/8/8/8/8/4K2P w - - 0 1"),
        ("chess", "4k2P/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("chess", "4k3/8/8/8/8/8/8/4K3[Q] w - - 0 1"),
        ("chess", "4k3/8/8/8/8/8/8/4KA2 w - - 0 1"),
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1 " + "x" * 200),
        ("chess", "\u0664k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("chess", "4k3/8/8/8/8/8/8/4K2R w K - 0 \u0661"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[Q w - - 0 1"),
        ("crazyhouse", f"4k3/8/8/8/8/8/8/4K3[{'Q' * 60}] w - - 0 1"),
        ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[K] w - - 0 1"),
        ("seirawan", "4k3/8/8/8/8/8/8/4K3[H] w A - 0 1"),
        ("grand", "4k5/10/10/10/10/10/10/10/10/4K5 w abc - 0 1"),
        ("acedrex", "12/12/12/12/12/12/p11/k11/12/12/12/5K5R w J - 0 1"),
        ("acedrex", "12/12/12/12/12/12/p11/k11/12/12/12/6K4R w JJ - 0 1"),
        ("acedrex", "12/12/12/12/12/12/12/k11/12/12/12/6K5 w - - 0 1"),
        ("acedrex", "11P/12/12/12/12/12/12/k11/12/12/12/6K5 w - - 0 1"),
        ("acedrex", "12/12/12/12/12/12/p11/k10R/12/12/12/6K5 w - - 0 1"),
        ("acedrex", "111/12/12/12/12/12/p11/k11/12/12/12/6K4R w - - 0 1"),
    ],
)
def test_refused_for_a_reason(variants, name, fen):
    with pytest.raises(InvalidFen, match=r"^[a-z_]+( |$)"):
        parse_fen(variants[name], fen)


def test_a_takeable_king_can_be_read_and_judged(variants):
    """As in Fairy-Stockfish; Grant Acedrex, which has a text form of its own, refuses it (see above)."""
    assert parse_fen(variants["chess"], "7k/8/8/8/8/8/8/K6Q w - - 0 1").turn.letter == "w"


@pytest.mark.parametrize(
    ("name", "fen", "stands"),
    [
        ("chess", "4k3/8/8/8/8/8/8/P3K3 w - - 0 1", False),
        ("crazyhouse", "4k3/8/8/8/8/8/8/P3K3[] w - - 0 1", False),
        ("shogun", "4k3/8/8/8/8/8/8/P3K3[] w - - 0 1", True),
    ],
)
def test_a_pawn_stands_on_the_first_rank_only_where_it_may_be_dropped_there(variants, name, fen, stands):
    with nullcontext() if stands else pytest.raises(InvalidFen, match="pawn_rank"):
        parse_fen(variants[name], fen)


@pytest.mark.parametrize("name", ["chess", "crazyhouse", "capablanca", "capahouse"])
def test_a_shuffled_start(variants, name):
    variant, rng = variants[name], random.Random(4)
    seen = set()
    for _ in range(60):
        fen = shuffled_fen(variant, rng)
        assert format_fen(parse_fen(variant, fen, chess960=True)) == fen
        rank = fen.split("/")[0]
        seen.add(rank)
        bishops = [file for file, letter in enumerate(rank) if letter == "b"]
        assert sum(bishops) % 2
        assert rank.index("r") < rank.index("k") < rank.rindex("r")
        assert "a" not in rank or (rank.index("q") - rank.index("a")) % 2
    assert len(seen) > 30


def test_counters_that_have_grown_too_large_are_written_so_that_they_can_be_read(variants):
    fen = "4k3/8/8/8/8/8/8/R3K3 b - - 9999 9999"
    moved = after(parse_fen(variants["chess"], fen), "e8e7", "e1e2")
    assert format_fen(moved).endswith(" 9999 9999")
    assert format_fen(parse_fen(variants["chess"], format_fen(moved))) == format_fen(moved)
