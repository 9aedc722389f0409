"""Pieces as the pieces of chess that they are made of, from their movements."""

import pytest

from server.rules.movegen.tables import compile_role
from server.rules.variant.movement import parse_betza
from server.rules.variant.pieces import MOVES, PAWN, chess_pieces_in, is_chess_piece
from server.rules.variant.variant import Geometry
from tests.support.rules.built_in import VARIANTS

ROLES = {role.name: role for variant in VARIANTS.values() for role in variant.roles}


@pytest.mark.parametrize("role", ROLES.values(), ids=ROLES)
def test_a_piece_moves_exactly_as_its_parts_together(role):
    board = Geometry(10, 10)
    if parts := chess_pieces_in(role.atoms):
        together = compile_role(board, tuple(atom for part in parts for atom in parse_betza(MOVES[part])), frozenset())
        whole = compile_role(board, role.atoms, frozenset())
        assert [set(one) for one in together.captures] == [set(one) for one in whole.captures]


def test_the_fewest_parts_are_named():
    assert chess_pieces_in(parse_betza("RB")) == ("queen",)
    assert chess_pieces_in(parse_betza("BN")) == ("bishop", "knight")
    assert chess_pieces_in(parse_betza("QN")) == ("queen", "knight")
    assert chess_pieces_in(parse_betza("t[FR]")) == ()


def test_the_pieces_of_chess_are_ordinary_and_no_others():
    chess = VARIANTS["chess"]
    assert all(map(is_chess_piece, chess.roles))
    assert {role.name for role in chess.roles} == {*MOVES, "pawn"}
    assert chess.role("p").atoms == parse_betza(PAWN)
    assert not is_chess_piece(VARIANTS["acedrex"].role("k")), "it may leap once"
    assert not is_chess_piece(VARIANTS["acedrex"].role("c")), "a bishop by another name"
