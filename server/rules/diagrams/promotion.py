"""Diagrams of en passant and promotion."""

from collections.abc import Iterator

from server.rules.diagrams.diagram import Diagram, Mark, PlacedPiece, Proof, Use
from server.rules.diagrams.reach import reach_in
from server.rules.diagrams.staging import PieceSetup, letter_of, stage
from server.rules.movegen.legal import legal_moves, legal_ucis, play
from server.rules.movegen.moves import NormalMove
from server.rules.movegen.position import Position
from server.rules.movegen.tables import tables_of
from server.rules.notation.fen import format_fen
from server.rules.notation.uci import parse_uci
from server.rules.variant.pieces import Role
from server.rules.variant.variant import Promotion, Variant


def en_passant(variant: Variant) -> Diagram | None:
    """A black pawn has just made its double step past a white one; None if the variant has no en passant."""
    tables, geometry = tables_of(variant), variant.geometry
    doubles = sorted(tables.doubles[1], key=lambda key: abs(geometry.file(key >> 8) - geometry.files // 2))
    for key in doubles:
        origin, target = key >> 8, key & 255
        for taker, _ in tables.en_passant[0].get(tables.doubles[1][key], ()):
            setup = PieceSetup(
                variant, {origin: letter_of(variant.pawn, white=False), taker: letter_of(variant.pawn)}, side="b"
            )
            uci = geometry.names[origin] + geometry.names[target]
            staged = stage(setup, lambda position, uci=uci: uci in legal_ucis(position))  # type: ignore[misc]
            if staged is None:
                continue
            after = play(staged.position, parse_uci(staged.position, uci))
            diagram = reach_in(variant, format_fen(after), taker, hidden=staged.hidden)
            if any(mark.use is Use.TAKEN for mark in diagram.marks):
                return Diagram(
                    variant, diagram.fen, False, taker, diagram.marks, (origin, target), hidden=staged.hidden
                )
    return None


def promotion_groups(variant: Variant) -> tuple[tuple[Promotion, tuple[str, ...]], ...]:
    """The promotion rules with different zones, each with its roles."""
    groups: dict[tuple[frozenset[int], frozenset[int], bool], list[str]] = {}
    for role_id, rule in variant.promotions.items():
        groups.setdefault((rule.ranks, rule.forced, rule.touch), []).append(role_id)
    return tuple((variant.promotions[roles[0]], tuple(roles)) for roles in groups.values())


def promotion_zone(variant: Variant, role: Role) -> Diagram | None:
    """Every square on which that role promotes, and what it becomes there if the file decides."""
    rule = variant.promotions[role.id]
    marks, becomes, first = [], [], None
    for target in range(variant.geometry.size):
        if variant.geometry.rank_for(target, 0) not in rule.ranks:
            continue
        proof = _promotion_on(variant, role, target)
        if proof is None:
            continue
        forced = variant.geometry.rank_for(target, 0) in rule.forced
        marks.append(Mark(target, Use.MUST_PROMOTE if forced else Use.PROMOTES, (proof[0],)))
        first = first or proof
        if rule.by_file:
            becomes.append(PlacedPiece(target, rule.by_file[variant.geometry.file(target)], white=True))
    if first is None:
        return None
    hidden = frozenset(first[1])
    return Diagram(variant, first[0].fen, marks=tuple(marks), hidden=hidden, becomes=tuple(becomes))


def _promotion_on(variant: Variant, role: Role, target: int) -> tuple[Proof, frozenset[int]] | None:
    """A promotion on that square, and the squares used by the position that proves it."""
    for origin in _origins(variant, role, target):
        setup = PieceSetup(variant, {origin: letter_of(role.id)})
        name = variant.geometry.names[origin] + variant.geometry.names[target]

        def promotes(position: Position, name: str = name) -> bool:
            return any(uci.startswith(name) and uci != name for uci in legal_ucis(position))

        staged = stage(setup, promotes, frozenset((target,)))
        if staged is not None:
            moves = [move for move in legal_moves(staged.position) if isinstance(move, NormalMove) and move.promotion]
            uci = next(move.uci for move in moves if move.target == target)
            return Proof(staged.fen, uci), staged.hidden | {origin}
    return None


def _origins(variant: Variant, role: Role, target: int) -> Iterator[int]:
    """Squares from which the role might move to the target, nearest first."""
    tables = tables_of(variant)
    plans = tables.plans[tables.codes.placed[0][role.id]]
    behind = tables.behind(0, target)
    standing = (s for s in range(variant.geometry.size) if target in (plans[s][5] or {}))
    yield from sorted(standing, key=lambda square: (square != behind, abs(square - target)))
