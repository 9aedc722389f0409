"""Diagrams of the moves that are more than going and capturing: castling, en passant, promotion, drops and gating."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from server.rules.diagrams.diagram import Diagram, Mark, PlacedPiece, Proof, Use
from server.rules.diagrams.reach import reach_in
from server.rules.diagrams.staging import PieceSetup, letter_of, stage
from server.rules.movegen.legal import legal_moves, legal_ucis, play
from server.rules.movegen.moves import Castle, Drop, NormalMove
from server.rules.movegen.position import Position
from server.rules.movegen.tables import tables_of
from server.rules.notation.fen import format_fen, parse_fen, shuffled_fen
from server.rules.notation.san import format_san
from server.rules.notation.uci import parse_uci
from server.rules.variant.pieces import Role
from server.rules.variant.variant import Castling, Pocket, Promotion, Variant


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


SHUFFLES = range(5, 100)
"""Seeds tried until the king stands off its usual square and can castle on both wings."""


@dataclass(frozen=True, slots=True)
class CastlingDiagrams:
    """The diagram before castling, and one after it for each wing."""

    start: Diagram
    """The start position that king and rooks are taken from."""
    before: Diagram
    after: tuple[tuple[Castle, str, Diagram], ...]
    """The move, its SAN, and the position after it."""


def castling(variant: Variant) -> CastlingDiagrams | None:
    """White's castling from the usual squares; None if the variant has none."""
    rule = variant.castling
    if rule is None:
        return None
    pieces = {rule.king_from: letter_of(rule.king)} | {file: letter_of(rule.rook) for file in rule.rook_from}
    return _diagrams_of(PieceSetup(variant, pieces, rights="KQ"), Diagram(variant, variant.start_fen))


def castling_960(variant: Variant) -> CastlingDiagrams | None:
    """White's castling from a shuffled first rank; None if the variant has no chess960 form."""
    rule = variant.castling
    if not variant.chess960 or rule is None:
        return None
    starts = (Diagram(variant, shuffled_fen(variant, Random(seed)), chess960=True) for seed in SHUFFLES)
    unusual = (start for start in starts if start.position.castling_king(0) != rule.king_from)
    return next((diagrams for start in unusual if (diagrams := _from_shuffled(start, rule))), None)


def _from_shuffled(start: Diagram, rule: Castling) -> CastlingDiagrams | None:
    pieces = {square: start.position.letter_at(square) for square in _castlers(start.position, rule)}
    rights = "".join(letter for letter in start.fen.split(" ")[2] if letter.isupper())
    return _diagrams_of(PieceSetup(start.variant, pieces, rights=rights, chess960=True), start)


def _castlers(position: Position, rule: Castling) -> set[int]:
    """The squares of White's king and rooks."""
    rook = position.tables.codes.placed[0][rule.rook]
    return {position.castling_king(0)} | {
        square for square in range(position.variant.files) if position.board[square] == rook
    }


def _diagrams_of(setup: PieceSetup, start: Diagram) -> CastlingDiagrams | None:
    wings = len(setup.rights)
    staged = stage(setup, lambda position: len(_castles(position)) == wings)
    if staged is None:
        return None
    variant, castles = setup.variant, _castles(staged.position)
    marks = tuple(
        Mark(move.target, Use.REACHED, (Proof(staged.fen, move.uci, setup.chess960),))
        for move in castles
        if not staged.position.board[move.target]
    )
    king = staged.position.castling_king(0)
    before = Diagram(variant, staged.fen, setup.chess960, king, marks, hidden=staged.hidden)
    after = tuple(
        (move, format_san(staged.position, move), _after(staged.position, move, staged.hidden)) for move in castles
    )
    return CastlingDiagrams(start, before, after)


def _castles(position: Position) -> list[Castle]:
    """The legal castling moves without gating, towards the last file first."""
    found = [move for move in legal_moves(position) if isinstance(move, Castle) and move.gate is None]
    return sorted(found, key=lambda move: -move.rook_origin)


def _after(position: Position, move: Castle, hidden: frozenset[int]) -> Diagram:
    after = format_fen(play(position, move))
    parse_fen(position.variant, after, position.chess960)
    moved = tuple(dict.fromkeys((move.origin, move.rook_origin, move.target, move.rook_target)))
    return Diagram(position.variant, after, position.chess960, moved=moved, hidden=hidden)
