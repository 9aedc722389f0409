"""The diagrams of the rules pages: no mark that the rules core would refuse, no move of it without a mark."""

import re

import pytest

from server.rules.diagrams import special_moves
from server.rules.diagrams.diagram import Diagram, Mark, Proof, Use
from server.rules.diagrams.reach import blocked, open_board, piece_diagrams, reach_in
from server.rules.errors import IllegalMove, InvalidMove
from server.rules.movegen.legal import legal_moves
from server.rules.notation.fen import parse_fen
from server.rules.notation.uci import parse_uci
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.diagram_marks import judge


def all_diagrams(variant):
    for role in variant.roles:
        yield from piece_diagrams(variant, role)
        yield from filter(None, [blocked(variant, role)])
    yield from filter(None, [special_moves.en_passant(variant), special_moves.gating(variant)])
    for _, roles in special_moves.promotion_groups(variant):
        yield special_moves.promotion_zone(variant, variant.role(roles[0]))
    for _, roles in special_moves.drop_groups(variant):
        yield special_moves.drop_zone(variant, roles[0])
    for shown in filter(None, [special_moves.castling(variant), special_moves.castling_960(variant)]):
        yield shown.start
        yield shown.before
        yield from (diagram for _, _, diagram in shown.after)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_no_diagram_shows_a_move_that_the_core_refuses(variant):
    found = list(all_diagrams(variant))
    assert len(found) > len(variant.roles)
    for diagram in found:
        judge(diagram)


def diagrams_of_pieces(variant):
    return [diagram for role in variant.roles for diagram in (*piece_diagrams(variant, role), blocked(variant, role))]


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_move_of_a_piece_is_on_its_diagram(variant):
    for diagram in filter(None, diagrams_of_pieces(variant)):
        moves = {m.target for m in legal_moves(diagram.position) if getattr(m, "origin", None) == diagram.square}
        assert moves <= {mark.square for mark in diagram.marks}, diagram.fen


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_what_a_piece_does_only_once_is_marked_so(variant):
    """Beyond its home rank, or without its right, the piece has none of its first moves."""
    for role in variant.roles:
        for diagram in piece_diagrams(variant, role):
            for mark in (mark for mark in diagram.marks if mark.first):
                if role.initial_ranks:
                    beyond = open_board(variant, role, diagram.square + variant.files)
                    assert mark.square + variant.files not in {one.square for one in beyond.marks}
                else:
                    without = parse_fen(variant, diagram.fen.replace(f" {role.first_move.upper()} ", " - "))
                    with pytest.raises(IllegalMove):
                        parse_uci(without, mark.proofs[0].uci)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_marks_of_one_use_are_refused_for_the_other(variant):
    """A square marked only for going cannot be captured on, and the other way round."""
    for role in variant.roles:
        for diagram in piece_diagrams(variant, role):
            for mark in diagram.marks:
                if mark.use is Use.CAPTURE:
                    with pytest.raises(IllegalMove):
                        parse_uci(diagram.position, mark.proofs[0].uci)
                if mark.use is Use.MOVE:
                    assert mark.square not in {m.square for m in diagram.marks if m.use is not Use.MOVE}


def test_the_judge_refuses_a_wrong_mark():
    chess = VARIANTS["chess"]
    fen = "8/8/8/8/3N4/7k/8/7K w - - 0 1"
    knight = parse_fen(chess, fen)
    square = chess.geometry.parse("d4")
    for target, uci in [("d6", "d4d6"), ("e6", "d4f5")]:
        wrong = Mark(chess.geometry.parse(target), Use.REACHED, (Proof(fen, uci),))
        with pytest.raises((IllegalMove, InvalidMove, AssertionError)):
            judge(Diagram(chess, fen, square=square, marks=(wrong,)))
    judge(reach_in(chess, fen, square))
    assert len(reach_in(chess, fen, square).marks) == 8
    assert knight.board[square]


@pytest.mark.parametrize(
    ("variant", "piece", "squares"),
    [("acedrex", "a", 40), ("acedrex", "u", 36), ("acedrex", "c", 21), ("acedrex", "l", 12), ("acedrex", "g", 8)],
)
def test_the_beasts_reach_as_many_squares_as_the_book_says(variant, piece, squares):
    role = VARIANTS[variant].role(piece)
    (diagram,) = piece_diagrams(VARIANTS[variant], role)
    assert len(diagram.marks) == squares
    assert {mark.use for mark in diagram.marks} == {Use.BOTH}


def test_the_kings_leap_is_a_first_move():
    _, home = piece_diagrams(VARIANTS["acedrex"], VARIANTS["acedrex"].role("k"))
    names = home.variant.geometry.names
    assert {names[mark.square] for mark in home.marks if mark.first} == {"e1", "i1", "e3", "g3", "i3"}


def test_a_pawn_goes_and_takes_apart():
    (pawn,) = piece_diagrams(VARIANTS["grand"], VARIANTS["grand"].role("p"))
    names = pawn.variant.geometry.names
    shown = {names[mark.square]: (mark.use, mark.first) for mark in pawn.marks}
    assert shown == {
        "e4": (Use.MOVE, False),
        "e5": (Use.MOVE, True),
        "d4": (Use.CAPTURE, False),
        "f4": (Use.CAPTURE, False),
    }


@pytest.mark.parametrize(
    ("variant", "zones"),
    [("chess", {(8, 8)}), ("grand", {(30, 10)}), ("shogun", {(24, 8), (24, 0)}), ("acedrex", {(12, 12)})],
)
def test_promotion_zones(variant, zones):
    found = set()
    for _, roles in special_moves.promotion_groups(VARIANTS[variant]):
        diagram = special_moves.promotion_zone(VARIANTS[variant], VARIANTS[variant].role(roles[0]))
        found.add((len(diagram.marks), sum(mark.use is Use.MUST_PROMOTE for mark in diagram.marks)))
    assert found == zones


@pytest.mark.parametrize(
    ("variant", "zones"),
    [("crazyhouse", [62, 48]), ("grandhouse", [98, 59]), ("shogun", [39]), ("placement", [8]), ("grand", [])],
)
def test_drop_zones(variant, zones):
    variant = VARIANTS[variant]
    assert [
        len(special_moves.drop_zone(variant, roles[0]).marks) for _, roles in special_moves.drop_groups(variant)
    ] == zones


def test_the_gates_are_the_whole_first_rank():
    assert len(special_moves.gating(VARIANTS["seirawan"]).marks) == 8
    assert special_moves.gating(VARIANTS["crazyhouse"]) is None


def test_castling_from_a_shuffled_rank_ends_where_it_always_does():
    usual = special_moves.castling(VARIANTS["capablanca"])
    shuffled = special_moves.castling_960(VARIANTS["capablanca"])
    assert [re.split("[ /]", d.fen)[7] for _, _, d in usual.after] == ["R6RK1", "2KR5R"]
    assert [san for _, san, _ in shuffled.after] == ["O-O", "O-O-O"]
    for (_, _, one), (_, _, other) in zip(usual.after, shuffled.after, strict=True):
        assert one.position.kings[0] == other.position.kings[0]
    assert special_moves.castling_960(VARIANTS["gothic"]) is None
    assert special_moves.castling(VARIANTS["grand"]) is None
