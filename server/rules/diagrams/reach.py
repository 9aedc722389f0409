"""Diagrams of one piece: every square it reaches on an open board, and how other pieces block it.

The legal moves say what it reaches; nothing here knows how a piece moves.
"""

from collections.abc import Iterator

from server.rules.diagrams.diagram import Diagram, Mark, Proof, Use
from server.rules.diagrams.staging import PieceSetup, StagedPosition, letter_of, stage, write_fen
from server.rules.errors import InvalidFen
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.moves import NormalMove
from server.rules.movegen.position import Position
from server.rules.movegen.tables import compile_role, tables_of
from server.rules.notation.fen import parse_fen
from server.rules.notation.uci import parse_uci
from server.rules.variant.pieces import Role
from server.rules.variant.variant import Variant

PAIR = 2
"""How many enemy and how many own pieces are put in a piece's way."""


def piece_diagrams(variant: Variant, role: Role) -> tuple[Diagram, ...]:
    """The piece on an open board, and once more on its initial square if its first move differs."""
    special = any(atom.initial for atom in role.atoms)
    squares = [_home(variant, role)] if special else []
    if not (special and role.pawn):
        squares.insert(0, _middle(variant))
    found = []
    for square in squares:
        rights = _first_move_letter(variant, role, square)
        if (diagram := open_board(variant, role, square, rights)) is not None:
            found.append(diagram)
    return tuple(found)


def _middle(variant: Variant) -> int:
    return variant.geometry.square((variant.files - 1) // 2, (variant.ranks - 1) // 2)


def _home(variant: Variant, role: Role) -> int:
    """The square nearest to the middle file from which the piece has its first move."""
    geometry = variant.geometry
    if not role.initial_ranks:
        return tables_of(variant).homes[0]
    return geometry.square((variant.files - 1) // 2, min(role.initial_ranks) - 1)


def _first_move_letter(variant: Variant, role: Role, square: int) -> str:
    at_home = role.first_move and square == tables_of(variant).homes[0]
    return role.first_move.upper() if at_home else "-"


def open_board(variant: Variant, role: Role, square: int, rights: str = "-") -> Diagram | None:
    """The white piece on that square of an open board, with all its moves; None if it cannot stand there."""
    initial = rights != "-" or variant.geometry.rank_for(square, 0) in role.initial_ranks
    wanted, takes = _targets(variant, role, initial, square)
    usual = _targets(variant, role, False, square)
    setup = PieceSetup(variant, {square: letter_of(role.id)}, rights=rights)
    staged = stage(setup, lambda position: set(_reached(position, square)) >= wanted, frozenset(wanted | takes))
    if staged is None:
        return None
    marks = []
    for target in sorted(wanted | takes):
        capture = _capture(setup, staged, square, target) if target in takes else None
        moves = tuple(Proof(staged.fen, uci) for uci in _reached(staged.position, square).get(target, ())[:1])
        proofs = moves + ((capture,) if capture else ())
        use = Use.BOTH if len(proofs) == PAIR else Use.CAPTURE if capture else Use.MOVE
        if proofs:
            marks.append(Mark(target, use, proofs, target not in usual[0] | usual[1]))
    return Diagram(variant, staged.fen, square=square, marks=tuple(marks), hidden=staged.hidden)


def _targets(variant: Variant, role: Role, initial: bool, square: int) -> tuple[set[int], set[int]]:
    """The squares that the role can move to, and capture on, on an empty board."""
    geometry = variant.geometry
    lines = compile_role(geometry, role.atoms, frozenset(range(geometry.size)) if initial else frozenset())
    moves = lines.moves[square]
    going = {target for line in (moves.jumps, *moves.rays, *moves.quiet) for target, _ in line}
    going |= {target for elbow, _, rays in moves.bents for target in (elbow, *(t for ray in rays for t, _ in ray))}
    return going, set(lines.captures[square])


def _reached(position: Position, square: int) -> dict[int, list[str]]:
    """The legal moves of the piece on that square: UCI by target."""
    found: dict[int, list[str]] = {}
    for move in legal_moves(position):
        if isinstance(move, NormalMove) and move.origin == square:
            found.setdefault(move.target, []).append(move.uci)
    return found


def _capture(setup: PieceSetup, staged: StagedPosition, square: int, target: int) -> Proof | None:
    """The capture of an enemy piece on the target, if legal."""
    extra = {piece: staged.position.letter_at(piece) for piece in staged.hidden}
    for role in setup.variant.roles:
        if role.royal:
            continue
        fen = write_fen(setup, {**extra, target: letter_of(role.id, white=False)})
        try:
            position = parse_fen(setup.variant, fen)
        except InvalidFen:
            continue
        if found := _reached(position, square).get(target):
            return Proof(fen, found[0])
    return None


def blocked(variant: Variant, role: Role) -> Diagram | None:
    """The piece among pieces of both sides that block it; None for one that only steps to adjacent squares."""
    square = _middle(variant)
    obstacles = dict(_obstacles(variant, role, square))
    if not obstacles:
        return None
    piece = next((role.id for role in variant.roles if role.pawn), variant.roles[0].id)
    enemy, own = letter_of(piece, white=False), letter_of(piece)
    pieces = {square: letter_of(role.id)} | {at: own if friend else enemy for at, friend in obstacles.items()}
    going, takes = _targets(variant, role, False, square)
    setup = PieceSetup(variant, pieces)
    staged = stage(setup, lambda position: bool(_reached(position, square)), frozenset(going | takes))
    return None if staged is None else reach_in(variant, staged.fen, square, hidden=staged.hidden)


def _obstacles(variant: Variant, role: Role, square: int) -> Iterator[tuple[int, bool]]:
    """Squares for blockers, and whether the blocker is an own piece."""
    plan = compile_role(variant.geometry, role.atoms, frozenset()).moves[square]
    standing = set(range(variant.geometry.size)) - _pawnless_squares(variant)
    lines = [tuple(target for target, _ in ray) for ray in plan.rays]
    for nth, line in enumerate([line for line in lines if len(line) > 1 and line[1] in standing][: 2 * PAIR]):
        yield line[1], nth % 2 == 1
    for nth, (elbow, _, rays) in enumerate(plan.bents[: 2 * PAIR]):
        if nth < PAIR and elbow in standing:
            yield elbow, nth % 2 == 1
        elif rays and len(rays[0]) > 1 and rays[0][1][0] in standing:
            yield rays[0][1][0], nth % 2 == 1
    leaps = [target for target, _ in plan.jumps]
    far = [target for target in leaps if _steps_between(variant, square, target) > 1 and target in standing]
    for nth, target in enumerate(far[: 2 * PAIR]):
        yield target, nth % 2 == 1
    if far and not plan.rays:
        near = [variant.geometry.shifted(square, (dx, dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
        yield from ((at, True) for at in near if at is not None and at in standing and at not in leaps)


def _pawnless_squares(variant: Variant) -> set[int]:
    geometry, pawnless = variant.geometry, tables_of(variant).pawnless
    return {s for s in range(geometry.size) if {geometry.rank_for(s, 0), geometry.rank_for(s, 1)} & pawnless}


def _steps_between(variant: Variant, one: int, other: int) -> int:
    geometry = variant.geometry
    return max(
        abs(geometry.file(one) - geometry.file(other)),
        abs(geometry.rank(one) - geometry.rank(other)),
    )


def reach_in(
    variant: Variant, fen: str, square: int, chess960: bool = False, hidden: frozenset[int] = frozenset()
) -> Diagram:
    """The legal moves of the piece on that square in this position. Its side is to move. Raises InvalidFen."""
    position = parse_fen(variant, fen, chess960)
    marks = [
        Mark(target, _use_here(position, target, texts), (Proof(fen, texts[0], chess960),))
        for target, texts in sorted(_reached(position, square).items())
    ]
    return Diagram(variant, fen, chess960, square, tuple(marks), hidden=hidden)


def _use_here(position: Position, target: int, texts: list[str]) -> Use:
    move = parse_uci(position, texts[0])
    assert isinstance(move, NormalMove)
    kind = position.tables.codes.kinds[position.board[move.origin]]
    aside = (move.target - move.origin) % position.variant.files != 0
    en_passant = kind is not None and kind.role.pawn and target == position.en_passant and aside
    return Use.TAKEN if position.board[target] or en_passant else Use.REACHED
