"""Diagrams of the pocket: where each piece may be dropped, and behind which pieces it may be gated."""

from collections.abc import Iterator

from server.rules.diagrams.diagram import Diagram, Mark, Proof, Use
from server.rules.diagrams.staging import PieceSetup, letter_of, stage
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.moves import Castle, Drop, NormalMove
from server.rules.movegen.position import Position
from server.rules.notation.fen import parse_fen
from server.rules.variant.variant import Pocket, Variant


def drop_groups(variant: Variant) -> tuple[tuple[frozenset[int], tuple[str, ...]], ...]:
    """The sets of own ranks (from 1) on which pieces may be dropped, each with its roles."""
    pocket = variant.pocket
    if pocket is None or not pocket.drops:
        return ()
    groups: dict[frozenset[int], list[str]] = {}
    for role in pocket.order:
        groups.setdefault(pocket.ranks[role], []).append(role)
    return tuple((ranks, tuple(roles)) for ranks, roles in groups.items())


def drop_zone(variant: Variant, role_id: str) -> Diagram | None:
    """Where White may drop that role: at the start if the game begins with drops, otherwise on an empty board."""
    pocket = variant.pocket
    assert pocket is not None
    if pocket.setup:
        return drops_in(variant, variant.start_fen, role_id)
    staged = stage(_empty_setup(variant, role_id), lambda position: bool(list(_drops(position, role_id))))
    return None if staged is None else drops_in(variant, staged.fen, role_id)


def _empty_setup(variant: Variant, role_id: str) -> PieceSetup:
    """The kings on their initial squares, if any, and the piece in White's pocket."""
    position = parse_fen(variant, variant.start_fen)
    kings = {square: position.letter_at(square) for square in position.kings if square >= 0}
    return PieceSetup(variant, kings, pocket=letter_of(role_id))


def drops_in(variant: Variant, fen: str, role_id: str, chess960: bool = False) -> Diagram:
    """Where the side to move may drop that role in this position. Raises InvalidFen."""
    position = parse_fen(variant, fen, chess960)
    marks = tuple(
        Mark(move.target, Use.DROP, (Proof(fen, move.uci, chess960),))
        for move in sorted(_drops(position, role_id), key=lambda move: move.target)
    )
    return Diagram(variant, fen, chess960, marks=marks)


def _drops(position: Position, role_id: str) -> Iterator[Drop]:
    return (move for move in legal_moves(position) if isinstance(move, Drop) and move.role == role_id)


def gating(variant: Variant) -> Diagram | None:
    """White's initial first rank on an open board, with every square marked on which a piece may be gated."""
    if not variant.gates:
        return None
    start = parse_fen(variant, variant.start_fen)
    first = {square: start.letter_at(square) for square in range(variant.files) if start.board[square]}
    rights = "".join(letter for letter in variant.start_fen.split(" ")[2] if letter.isupper())
    setup = PieceSetup(
        variant, first, rights=rights or "-", pocket="".join(map(letter_of, _pocket_at_start(variant, start)))
    )
    staged = stage(setup, lambda position: bool(_gates(position)))
    if staged is None:
        return None
    marks = tuple(Mark(at, Use.GATE, (Proof(staged.fen, uci),)) for at, uci in sorted(_gates(staged.position).items()))
    return Diagram(variant, staged.fen, marks=marks, hidden=staged.hidden)


def _pocket_at_start(variant: Variant, start: Position) -> tuple[str, ...]:
    """White's pocket at the start."""
    pocket: Pocket | None = variant.pocket
    order = pocket.order if pocket else ()
    return tuple(role for role, number in zip(order, start.pockets[0], strict=True) for _ in range(number))


def _gates(position: Position) -> dict[int, str]:
    """Squares on which a piece may be gated, each with a move that does so."""
    found: dict[int, str] = {}
    for move in legal_moves(position):
        if isinstance(move, NormalMove | Castle) and move.gate is not None:
            found.setdefault(move.origin if isinstance(move, NormalMove) else move.gate_square, move.uci)
    return found
