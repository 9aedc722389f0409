"""What is said to a move that does not do what a task asks."""

import pytest

from server.rules.lesson.judging import why_not
from server.rules.lesson.lesson import Goal
from server.rules.notation.fen import parse_fen
from server.rules.notation.san import parse_san
from tests.support.rules.built_in import EVERY_VARIANT

MATE = Goal(wins="checkmate")


def said(variant, fen, goal, text):
    position = parse_fen(EVERY_VARIANT[variant], fen)
    why = why_not(goal, position, parse_san(position, text))
    return None if why is None else (why.id, *why.texts.values(), *why.pieces.values())


@pytest.mark.parametrize(
    ("variant", "fen", "text", "expected"),
    [
        ("chess", "6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1", "Rd8", None),
        ("chess", "6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1", "Rd7", ("not_check",)),
        ("chess", "6k1/5pp1/8/8/8/8/8/3R2K1 w - - 0 1", "Rd8", ("check_escape", "Kh7", "h7")),
        ("chess", "r5k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1", "Rd8", ("check_taken", "Rxd8", "d8")),
        ("chess", "6k1/4bppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8", ("check_blocked", "Bd8", "d8")),
        ("chess", "6k1/5ppp/8/8/8/8/8/5R1K w - - 0 1", "Rxf7", ("not_check",)),
        ("chess", "7k/8/5K2/8/8/8/6Q1/8 w - - 0 1", "Qg7", None),
        ("chess", "7k/8/5K2/8/8/8/6Q1/8 w - - 0 1", "Qg6", ("ends_by_stalemate",)),
        ("crazyhouse", "6k1/5ppp/8/8/8/8/8/3R2K1[n] w - - 0 1", "Rd8", ("check_dropped", "N@e8", "e8")),
        ("chess", "5k2/8/8/8/8/8/5Q2/6K1 w - - 0 1", "Qf7", ("check_king_takes", "Kxf7", "f7")),
    ],
)
def test_a_mate_that_is_none_names_the_way_out(variant, fen, text, expected):
    assert said(variant, fen, MATE, text) == expected


GATES = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[EHeh] w KQBCDFGkqbcdfg - 0 1"
STALEMATE = "k11/7R4/12/12/12/12/12/7p4/7P4/12/12/2R8K w - - 0 1"
BARE = "k10g/11R/12/12/12/12/12/12/12/12/12/K11 w - - 0 1"
ONE_CHECK_LEFT = "4k3/8/8/8/8/8/8/R3K3 w - - 1+3 0 1"
NEAR_THE_HILL = "6k1/8/1b6/8/8/3K4/8/8 w - - 0 1"
FORK = "r3k3/1p3ppp/8/3N4/8/8/5PPP/6K1 w - - 0 1"


@pytest.mark.parametrize(
    ("variant", "fen", "goal", "text", "expected"),
    [
        ("seirawan", GATES, Goal(gates="h"), "Nc3", ("gates_none", "h")),
        ("seirawan", GATES, Goal(gates="h"), "Nc3/E", ("gates_other", "e", "h")),
        ("seirawan", GATES, Goal(gates="h", gate_at=6), "Nc3/H", ("gates_elsewhere", "g1", "h")),
        ("chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", Goal(promotes="n"), "a8=Q", ("promotes_to", "q", "n")),
        ("chess", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", Goal(promotes="n"), "Kd2", ("promotes_not", "k", "n")),
        ("grand", "9k/10/10/P9/10/10/10/10/10/K9 w - - 0 1", Goal(promotes="-"), "a8=Q", ("promotes", "p")),
        ("chess", FORK, Goal(attacks=(60, 56), safe=True), "Nb6", ("misses", "e8", "n")),
        ("chess", "3rk3/8/8/8/8/8/3N4/4K3 w - - 0 1", Goal(safe=True), "Ne4", None),
        ("chess", "3rk3/8/8/8/8/8/4N3/4K3 w - - 0 1", Goal(safe=True), "Nd4", ("taken", "Rxd4", "n")),
        ("chess", "6k1/5ppp/8/8/8/8/r4PPP/7K w - - 0 1", Goal(holds=True), "Kg1", ("lost", "Ra1#")),
        ("chess", "8/5P1k/5K2/8/8/8/8/8 w - - 0 1", Goal(holds=True), "f8=Q", ("ends_by_stalemate",)),
        ("chess", "8/5P1k/5K2/8/8/8/8/8 w - - 0 1", Goal(holds=True), "f8=B", ("ends_in_draw",)),
        ("acedrex", BARE, Goal(wins="bare-king"), "Rl1", ("not_bare", "l12", "g")),
        ("acedrex", BARE, Goal(wins="bare-king"), "Rxl12", None),
        ("acedrex", STALEMATE, Goal(wins="stalemate"), "Rc12", ("ends_otherwise",)),
        ("acedrex", STALEMATE, Goal(wins="stalemate"), "Ra1", ("check_is_no_stalemate",)),
        ("acedrex", STALEMATE, Goal(wins="stalemate"), "Rc2", ("can_move", "Kb12")),
        ("acedrex", STALEMATE, Goal(wins="stalemate"), "Rb1", None),
        ("kingofthehill", NEAR_THE_HILL, Goal(wins="goal"), "Kd2", ("no_goal",)),
        ("kingofthehill", NEAR_THE_HILL, Goal(wins="goal"), "Ke4", None),
        ("3check", ONE_CHECK_LEFT, Goal(wins="checks"), "Ra7", ("no_check",)),
        ("3check", ONE_CHECK_LEFT.replace("1+3", "2+3"), Goal(wins="checks"), "Ra8+", ("more_checks",)),
        ("3check", ONE_CHECK_LEFT, Goal(wins="checks"), "Ra8+", None),
        ("chess", "4k3/3p4/8/4P3/8/8/8/4K3 w - - 0 1", Goal(takes="p"), "e6", ("takes_none", "p")),
        ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", Goal(takes="p"), "exd6", None),
        ("chess", "4k3/8/3n1p2/4P3/8/8/8/4K3 w - - 0 1", Goal(takes="n"), "exf6", ("takes_other", "n", "p")),
    ],
)
def test_a_wrong_move_is_told_what_was_asked(variant, fen, goal, text, expected):
    assert said(variant, fen, goal, text) == expected
