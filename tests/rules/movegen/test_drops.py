"""Drops, what captures bring, and the set-up."""

import pytest

from server.rules.notation.fen import format_fen, parse_fen
from tests.support.rules.boards import after, ucis

EMPTY_64 = "4k3/8/8/8/8/8/8/4K3[{}] {} - - 0 1"


@pytest.mark.parametrize(
    ("name", "fen", "start", "number"),
    [
        ("crazyhouse", EMPTY_64.format("PN", "w"), "P@", 48),
        ("crazyhouse", EMPTY_64.format("PN", "w"), "N@", 62),
        ("crazyhouse", EMPTY_64.format("pn", "b"), "P@", 48),
        ("grandhouse", "4k5/10/10/10/10/10/10/10/10/4K5[PA] w - - 0 1", "P@", 60),
        ("grandhouse", "4k5/10/10/10/10/10/10/10/10/4K5[pa] b - - 0 1", "A@", 98),
        ("shogun", EMPTY_64.format("PF", "w"), "P@", 39),
        ("shogun", EMPTY_64.format("pf", "b"), "F@", 39),
        ("shouse", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[HEhe] w KQBCDFGkqbcdfg - 0 1", "H@", 32),
    ],
)
def test_where(variants, name, fen, start, number):
    assert len(ucis(parse_fen(variants[name], fen), start)) == number


def test_ranks_are_counted_from_the_own_side(variants):
    white = parse_fen(variants["grandhouse"], "4k5/10/10/10/10/10/10/10/10/4K5[Pp] w - - 0 1")
    black = parse_fen(variants["grandhouse"], "4k5/10/10/10/10/10/10/10/10/4K5[Pp] b - - 0 1")
    assert {int(move[3:]) for move in ucis(white, "P@")} == {2, 3, 4, 5, 6, 7}
    assert {int(move[3:]) for move in ucis(black, "P@")} == {4, 5, 6, 7, 8, 9}


@pytest.mark.parametrize(
    ("fen", "drops"),
    [
        ("4k3/8/8/8/8/4r3/8/4K3[NP] w - - 0 1", {"N@e2", "P@e2"}),
        ("4k3/8/8/8/8/3n4/8/4K3[QRBNP] w - - 0 1", set()),
        ("4k3/8/8/8/8/5n2/4r3/4K3[QP] w - - 0 1", set()),
        ("k7/8/8/8/8/8/6PP/r5K1[P] w - - 0 1", set()),
        ("k7/8/8/8/8/8/6PP/r5K1[N] w - - 0 1", {"N@b1", "N@c1", "N@d1", "N@e1", "N@f1"}),
    ],
)
def test_against_check(variants, fen, drops):
    assert {move for move in ucis(parse_fen(variants["crazyhouse"], fen)) if "@" in move} == drops


@pytest.mark.parametrize(
    ("name", "fen", "move", "pocket"),
    [
        ("crazyhouse", "1r2k3/8/8/8/8/8/1Q~6/4K3[] b - - 0 1", "b8b2", "[p]"),
        ("crazyhouse", "1r2k3/8/8/8/8/8/1Q6/4K3[] b - - 0 1", "b8b2", "[q]"),
        ("capahouse", "5k4/10/10/10/4p5/3A6/10/5K4[] b - - 0 1", "e4d3", "[a]"),
        ("shogun", "7k/8/8/3+r4/4P3/8/8/K7[] w - - 0 1", "e4d5", "[R]"),
        ("shogun", "7k/8/8/3+f4/4P3/8/8/K7[] w - - 0 1", "e4d5", "[F]"),
        ("seirawan", "1r2k3/8/8/8/8/8/1H6/4K3[] b - - 0 1", "b8b2", "[]"),
        ("crazyhouse", "4k3/8/8/3pP3/8/8/8/4K3[] w - d6 0 2", "e5d6", "[P]"),
    ],
)
def test_what_a_capture_brings(variants, name, fen, move, pocket):
    assert pocket in format_fen(after(parse_fen(variants[name], fen), move))


def test_a_promoted_piece_keeps_its_mark_when_it_moves(variants):
    position = parse_fen(variants["crazyhouse"], "4k3/P7/8/8/8/8/8/4K3[] w - - 0 1")
    assert format_fen(after(position, "a7a8q", "e8e7", "a8a2")).startswith("8/4k3/8/8/8/8/Q~7/4K3")


def test_a_pawn_dropped_on_its_second_rank_may_go_two_squares(variants):
    position = parse_fen(variants["crazyhouse"], EMPTY_64.format("P", "w"))
    assert ucis(after(position, "P@c2", "e8e7"), "c2") == {"c2c3", "c2c4"}


def test_every_drop_resets_the_clock(variants):
    position = parse_fen(variants["crazyhouse"], "4k3/8/8/8/8/8/8/4K3[N] w - - 31 60")
    assert after(position, "N@a1").halfmoves == 0


def test_the_set_up_keeps_a_square_for_each_bishop(variants):
    start = parse_fen(variants["placement"], variants["placement"].start_fen)
    assert len(ucis(start)) == 40
    assert {move[2:] for move in ucis(after(start, "B@a1", "B@a8"), "B@")} == {"b1", "d1", "f1", "h1"}
    three_dark = after(start, "N@a1", "N@a8", "N@c1", "N@c8", "R@e1", "R@e8")
    assert "Q@g1" not in ucis(three_dark)
    assert {"B@g1", "Q@b1"} <= ucis(three_dark)


def test_the_set_up_is_nothing_but_drops_and_then_chess(variants):
    start = parse_fen(variants["placement"], variants["placement"].start_fen)
    assert all("@" in move for move in ucis(start))
    drops = "K@e1 K@e8 R@h1 R@a8 R@a1 R@h8 N@b1 N@b8 N@g1 N@g8 B@c1 B@c8 B@f1 B@f8 Q@d1 Q@d8"
    position = after(start, *drops.split())
    assert format_fen(position) == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 9"
    assert len(ucis(position)) == 20
