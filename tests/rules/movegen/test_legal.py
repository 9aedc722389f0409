"""Legality: checks, pins, en passant, and the traps of attacks that are not symmetric."""

import pytest

from server.rules.errors import IllegalMove
from server.rules.movegen.legal import in_check, is_legal, legal_moves, play
from server.rules.movegen.moves import NormalMove
from server.rules.notation.fen import parse_fen, start_position
from server.rules.notation.uci import parse_uci, parse_uci_trusted
from tests.support.rules.boards import after, draw, targets, ucis


@pytest.mark.parametrize(
    ("fen", "origin", "to"),
    [
        ("4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2", {"e3", "e4", "e5", "e6", "e7", "e8"}),
        ("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", "e2", set()),
        ("4r2k/8/8/8/8/8/3P4/4K3 w - - 0 1", "d2", set()),
        ("7k/8/8/8/7b/8/8/4K2R w K - 0 1", "h1", {"h4"}),
        ("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2", "e5", {"e6"}),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5", {"e6", "d6"}),
        ("8/8/8/3pP3/4K3/8/8/4k3 w - d6 0 2", "e5", {"d6"}),
    ],
)
def test_chess(variants, fen, origin, to):
    assert targets(parse_fen(variants["chess"], fen), origin) == to


def test_the_king_does_not_hide_behind_itself(variants):
    position = parse_fen(variants["chess"], "4k3/8/8/8/4r3/8/4K3/8 w - - 0 1")
    assert targets(position, "e2") == {"d1", "d2", "d3", "f1", "f2", "f3"}


def test_in_double_check_only_the_king_moves(variants):
    position = parse_fen(variants["crazyhouse"], "4k3/8/8/8/8/5n2/4r3/4K3[QP] w - - 0 1")
    assert {move[:2] for move in ucis(position)} == {"e1"}


def test_listing_is_the_same_as_accepting(variants):
    position = start_position(variants["grand"])
    for move in legal_moves(position):
        assert is_legal(position, move)
        assert parse_uci(position, move.uci) is move
        assert parse_uci_trusted(position, move.uci) is move
    with pytest.raises(IllegalMove):
        play(position, NormalMove(0, 20, None, None, "a1a3"))


def test_a_position_is_never_changed(variants):
    position = start_position(variants["chess"])
    before = position.board
    play(position, parse_uci(position, "e2e4"))
    assert position.board == before
    assert position.turn.letter == "w"
    with pytest.raises(AttributeError):
        position.side = 1


@pytest.mark.parametrize(("elbow", "check"), [(".", True), ("p", False)])
def test_an_aanca_needs_its_own_elbow_empty_and_no_other(variants, elbow, check):
    """From b2 over c3 to h3. Looked at from the king the elbow would be g2, which is taken in both cases."""
    board = f"""
        ...
        ......P.....
        ..{elbow}....K....
        .a....P.....
        k..........r
    """
    assert in_check(draw(variants["acedrex"], board)) is check


@pytest.mark.parametrize(("elbow", "check"), [(".", True), ("p", False)])
def test_an_unicornio_needs_its_own_elbow_empty_and_no_other(variants, elbow, check):
    """From b1 over c3 to f6. Looked at from the king the elbow would be d5 or e4."""
    board = f"""
        ...
        .....K......
        ...P........
        ....P.......
        ..{elbow}.........
        ............
        .u.........k
    """
    assert in_check(draw(variants["acedrex"], board)) is check


def test_one_piece_can_answer_two_bent_checks(variants):
    """The crocodile on j11 and the unicornio on i11 both come over h9."""
    position = parse_fen(variants["acedrex"], "12/8uc2/5k6/10L1/12/12/12/12/2K9/12/12/12 w - - 4 75")
    assert len(legal_moves(position)) == 6
    assert "k9h9" in ucis(position)


LEAP = """
    ......k....r
    ...
    ......p.....
    ...........R
    ......K.....
"""


def test_the_leap_takes_and_goes_with_the_first_move(variants):
    position = draw(variants["acedrex"], LEAP, "w Jj - 0 1")
    assert {"g3", "e1", "i1", "e3", "i3"} <= targets(position, "g1")
    moved = after(position, "g1f1", "g12g11", "f1g1", "g11g12")
    assert targets(moved, "g1") == {"f1", "h1", "g2"}


def test_an_unmoved_king_guards_its_leap_squares(variants):
    board = """
        ...
        p...........
        ............
        ............
        ............
        P...........
        .....k......
        ............
        ............
        ......K.....
    """
    assert {"e3", "g3"} <= targets(draw(variants["acedrex"], board, "b - - 0 1"), "f4")
    assert {"e3", "g3"}.isdisjoint(targets(draw(variants["acedrex"], board, "b J - 0 1"), "f4"))
