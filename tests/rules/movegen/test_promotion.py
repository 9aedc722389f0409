"""Promotion: zones, limits, what is forced, and what a file decides."""

import pytest

from server.rules.movegen.legal import in_check
from server.rules.notation.fen import format_fen, parse_fen
from server.rules.notation.uci import parse_uci
from tests.support.rules.boards import after, ucis


@pytest.mark.parametrize(
    ("name", "fen", "start", "moves"),
    [
        ("chess", "1n1k4/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "a7a8q a7a8r a7a8b a7a8n"),
        ("seirawan", "8/P3k3/8/8/8/8/8/H3K3[Ee] w - - 0 1", "a7", "a7a8q a7a8r a7a8b a7a8n a7a8h a7a8e"),
        ("grand", "1k8/10/10/P9/10/10/10/10/10/RNB1KCABNR w - - 0 1", "a7", "a7a8 a7a8q"),
        ("grand", "1k8/10/10/P9/10/10/10/10/10/RNBQKCABNR w - - 0 1", "a7", "a7a8"),
        ("grand", "3k6/P9/10/10/10/10/10/10/10/RNB1KCABNR w - - 0 1", "a9", "a9a10q"),
        ("grand", "1r1k6/P9/10/10/10/10/10/10/10/RNBQKCABNR w - - 0 1", "a9", ""),
        ("grandhouse", "1k8/10/10/P9/10/10/10/10/10/RNB1KCABNR[Q] w - - 0 1", "a7", "a7a8 a7a8q"),
        ("grandhouse", "1k8/10/1Q~8/3P6/10/10/10/10/10/RNB1KCABNR[] w - - 0 1", "d7", "d7d8"),
        ("shogun", "7k/8/8/P7/8/8/8/K7[] w - - 0 1", "a5", "a5a6 a5a6+"),
        ("shogun", "7k/P7/8/8/8/8/8/K7[] w - - 0 1", "a7", "a7a8+"),
        ("shogun", "7k/8/8/8/N7/8/8/K2+N4[] w - - 0 1", "a4b6", "a4b6"),
        ("shogun", "3+n3k/8/8/8/N7/8/8/K7[] w - - 0 1", "a4b6", "a4b6 a4b6+"),
        ("shogun", "7k/8/1N6/8/8/8/8/K7[] w - - 0 1", "b6a4", "b6a4 b6a4+"),
        ("shogun", "7k/8/8/3pP3/8/8/8/K7[] w - d6 0 2", "e5d6", "e5d6"),
        ("acedrex", "k9r1/6P5/12/12/12/12/12/12/12/12/12/K11 w - - 0 1", "g11", "g11g12a"),
    ],
)
def test_choice(variants, name, fen, start, moves):
    assert ucis(parse_fen(variants[name], fen), start) == set(moves.split())


def test_a_stuck_pawn_still_gives_check(variants):
    assert in_check(parse_fen(variants["grand"], "1k8/P9/10/10/10/10/10/10/10/RNBQKCABNR b - - 0 1"))


@pytest.mark.parametrize(("file", "letter"), list(zip("abcdefghijkl", "rlugcaacgulr", strict=True)))
def test_the_file_of_arrival_decides(variants, file, letter):
    position = parse_fen(variants["acedrex"], "12/PPPPPPPPPPPP/12/12/12/k10r/12/12/12/12/12/K11 w - - 0 1")
    assert ucis(position, f"{file}11") == {f"{file}11{file}12{letter}"}
    assert parse_uci(position, f"{file}11{file}12").uci == f"{file}11{file}12{letter}"


def test_it_is_the_file_of_arrival_when_the_pawn_takes(variants):
    position = parse_fen(variants["acedrex"], "2r9/1P10/12/12/12/k11/12/12/12/12/12/K11 w - - 0 1")
    assert ucis(position, "b11") == {"b11b12l", "b11c12u"}


def test_a_second_queen_only_when_the_first_is_gone(variants):
    promoting = "7k/8/8/F7/8/8/8/K7[] w - - 0 1"
    position = parse_fen(variants["shogun"], promoting)
    assert format_fen(after(position, "a5b6+")).startswith("7k/8/1+F6/8")
    assert "a5b6+" not in ucis(parse_fen(variants["shogun"], promoting.replace("K7", "K2+F4")))


def test_promotion_of_a_piece_resets_the_clock(variants):
    position = parse_fen(variants["shogun"], "7k/8/1N6/8/8/8/8/K7[] w - - 30 40")
    assert after(position, "b6a4+").halfmoves == 0
    assert after(position, "b6a4").halfmoves == 31
