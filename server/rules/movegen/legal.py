"""Legal moves: listing, finding and checking them, and playing one. The public face of move generation.

A position generates its moves at most once; listing, checking, parsing and writing moves all use that list.

Checks and pins are found first, so most moves need no test of their own; only king moves, en passant and castling are
tested for attacks on the king. A piece may go to any square that meets every check: in chess two checks never share
one, but those of two bent riders can.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from itertools import compress

from server.rules.errors import IllegalMove
from server.rules.movegen.attacks import checks_and_pins, is_attacked, is_in_check, is_reached, reaches_of, squares_of
from server.rules.movegen.making import castled, play_trusted
from server.rules.movegen.moves import Castle, Drop, Move, NormalMove
from server.rules.movegen.position import Position
from server.rules.movegen.tables import Tables, Upgrades
from server.rules.movegen.variant_ends import awaits_reply, variant_end
from server.rules.variant.piece_codes import VACANT, VIEW
from server.rules.variant.variant import Variant

KEY_BYTES = 16
"""A game keeps a key per ply; a full copy of a large board would be ten times larger."""


def legal_moves(position: Position) -> tuple[Move, ...]:
    """All legal moves, in no particular order; none if the game has ended by a rule that chess does not have."""
    moves = position._legal
    if moves is None:
        moves, check = _generate(position)
        object.__setattr__(position, "_legal", moves)
        object.__setattr__(position, "_check", check)
    return moves


def legal_ucis(position: Position) -> list[str]:
    """The UCI of all legal moves."""
    return [move.uci for move in legal_moves(position)]


def legal_move(position: Position, uci: str) -> Move | None:
    """The legal move with exactly that UCI, or None. No index is kept: it would be most of a game's memory."""
    for move in legal_moves(position):
        if move.uci == uci:
            return move
    return None


def is_legal(position: Position, move: Move) -> bool:
    """Is it among the legal moves, promotion and gating included?"""
    return move in legal_moves(position)


def in_check(position: Position) -> bool:
    """Is the king of the side to move attacked?"""
    check = position._check
    if check is None:
        check = is_in_check(position.tables, position.board, position.kings, position.side)
        object.__setattr__(position, "_check", check)
    return check


def is_mate(position: Position) -> bool:
    """Is the side to move checkmated, or in a check that ends the game otherwise? A bare king alone is not mated."""
    if not in_check(position) or legal_moves(position):
        return False
    if not position.variant.endings.bare_king_loses:
        return True
    tables, board, side = position.tables, position.board, position.side
    moves, _ = _generate_while_it_goes_on(
        position, squares_of(tables, board, side), squares_of(tables, board, 1 - side)
    )
    return not moves


def king_can_be_taken(position: Position) -> bool:
    """Is the side that just moved in check? Such a position can be read and judged, but not reached in a game."""
    return is_in_check(position.tables, position.board, position.kings, 1 - position.side)


def play(position: Position, move: Move) -> Position:
    """The position after the move. Raises IllegalMove."""
    if not is_legal(position, move):
        raise IllegalMove("illegal", move=move.uci)
    return play_trusted(position, move)


def repetition_key(position: Position) -> bytes:
    """A key of KEY_BYTES bytes, equal exactly for positions that count as repeated. It is collision-resistant.

    A digest of board, side, castling and first-move rights, pockets, checks still to be given, and the en passant
    square if a pawn may legally be taken there: FIDE asks for the same possible moves. Gating rights and the marks of
    promoted pieces are left out, as in Fairy-Stockfish and pychess, from which the games that have them come.
    """
    board = position.board.translate(position.tables.codes.unmarked)
    state = b"%d %d %d " % (position.side, position.castling, _en_passant(position))
    if position.variant.endings.checks:
        state += b"%d+%d " % position.to_check
    return blake2b(state + position.pockets[0] + position.pockets[1] + board, digest_size=KEY_BYTES).digest()


def _en_passant(position: Position) -> int:
    """The square on which the side to move may take a pawn en passant; -1 if it may not."""
    if position.en_passant < 0 or position.board[position.en_passant]:
        return -1
    foes = squares_of(position.tables, position.board, 1 - position.side)
    return position.en_passant if _en_passant_captures(position, foes) else -1


def perft(position: Position, depth: int) -> int:
    """The number of legal lines of exactly `depth` plies; 1 at depth 0. The usual test of a move generator.

    As in every perft, repetition, the move rule and insufficient material do not cut the tree. The last ply is counted
    without being played.
    """
    if depth <= 0:
        return 1
    moves = legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(play_trusted(position, move), depth - 1) for move in moves)


def divide(position: Position, depth: int) -> dict[str, int]:
    """The perft of `depth` (at least 1) by first move: UCI to leaves, sorted by UCI."""
    counts = {move.uci: perft(play_trusted(position, move), depth - 1) for move in legal_moves(position)}
    return dict(sorted(counts.items()))


def _generate(position: Position) -> tuple[tuple[Move, ...], bool]:
    """The legal moves, and whether the side to move is in check. There are none if the variant has ended the game."""
    tables = position.tables
    own = squares_of(tables, position.board, position.side)
    foes = squares_of(tables, position.board, 1 - position.side)
    if not tables.ends:
        return _generate_while_it_goes_on(position, own, foes)
    if variant_end(position):
        return (), is_in_check(tables, position.board, position.kings, position.side)
    moves, check = _generate_while_it_goes_on(position, own, foes)
    if awaits_reply(position):
        _, squares = tables.goals[position.side]
        king = position.kings[position.side]
        if not any(type(move) is NormalMove and move.origin == king and move.target in squares for move in moves):
            return (), check
    return moves, check


def _generate_while_it_goes_on(position: Position, own: list[int], foes: list[int]) -> tuple[tuple[Move, ...], bool]:
    """As `_generate`, as if only the lack of moves ended a game.

    `own`, `foes`: the squares of the side to move and of the other. `own` is modified.
    """
    tables, board, side = position.tables, position.board, position.side
    variant = tables.variant
    king = position.kings[side]
    if tables.around:
        return _generate_exploding(position, own, foes)
    checks, pins = checks_and_pins(tables, board, king, foes)
    holds = any(position.pockets[side])
    if holds and variant.pocket is not None and variant.pocket.setup:
        return tuple(_setup_drops(position)), bool(checks)
    view = board.translate(VIEW[side])
    moves: list[Move] = []
    answers = frozenset.intersection(*checks) if checks else None
    if answers is None or answers:
        if king >= 0:
            own.remove(king)
        steps = _piece_moves(tables, board, view, own)
        if pins:
            steps = [step for step in steps if step.origin not in pins or step.target in pins[step.origin]]
        if answers:
            steps = [step for step in steps if step.target in answers]
        if position.en_passant >= 0 and not board[position.en_passant]:
            steps += _en_passant_captures(position, foes)
        moves += steps
    if king >= 0:
        moves += _king_moves(tables, board, view, king, foes)
    if position.castling and not checks:
        moves += _castlings(position, king, foes)
    if holds:
        if position.gates:
            moves += _gatings(position, moves)
        if tables.drop_rows[side]:
            moves += _drops(position, answers)
    if tables.restricted:
        moves = _allowed(position, moves)
    return tuple(moves), bool(checks)


def _generate_exploding(position: Position, own: list[int], foes: list[int]) -> tuple[tuple[Move, ...], bool]:
    """The legal moves where captures explode: each is tried, as it may clear lines and kings from the board."""
    tables, board, side = position.tables, position.board, position.side
    check = is_in_check(tables, board, position.kings, side)
    steps = _piece_moves(tables, board, board.translate(VIEW[side]), own)
    if position.en_passant >= 0 and not board[position.en_passant]:
        steps += _en_passant_captures(position, foes)
    moves: list[Move] = [step for step in steps if _survives(position, step)]
    if position.castling and not check:
        moves += _castlings(position, position.kings[side], foes)
    return tuple(_allowed(position, moves) if tables.restricted else moves), check


def _survives(position: Position, move: Move) -> bool:
    """Does the own king outlive the move, or else the enemy's explode without it?"""
    after, side = play_trusted(position, move), position.side
    if after.kings[side] < 0:
        return False
    return after.kings[1 - side] < 0 or not is_in_check(after.tables, after.board, after.kings, side)


def _allowed(position: Position, moves: list[Move]) -> list[Move]:
    """Those moves that the variant allows, of moves that leave the own king safe."""
    variant = position.variant
    if variant.may_not_check:
        moves = [move for move in moves if not _gives_check(position, move)]
    if variant.must_capture:
        return [move for move in moves if _captures(position, move)] or moves
    return moves


def _gives_check(position: Position, move: Move) -> bool:
    after = play_trusted(position, move)
    own = squares_of(after.tables, after.board, position.side)
    return is_attacked(after.tables, after.board, after.kings[after.side], own)


def _captures(position: Position, move: Move) -> bool:
    if type(move) is not NormalMove:
        return False
    en_passant = move.target == position.en_passant and position.board[move.origin] in position.tables.codes.pawns
    return position.board[move.target] > 0 or en_passant


def _piece_moves(  # noqa: C901, PLR0912 - the innermost loop
    tables: Tables, board: bytes, view: bytes, origins: list[int]
) -> list[NormalMove]:
    """Pseudo-legal moves of the pieces on `origins`, without castling, en passant, gating and drops.

    `view`: the board as 0 empty, 1 enemy, 2 own. In this innermost loop a call often costs more than its work.
    """
    plans = tables.plans
    moves: list[NormalMove] = []
    full: frozenset[str] | None = None
    for origin in origins:
        start = len(moves)
        jumps, rays, bents, quiet, takes, upgrades = plans[board[origin]][origin]
        for target, step in jumps:
            if view[target] != 2:
                moves.append(step)
        for elbow, step, onward in bents:
            if not view[elbow]:
                moves.append(step)
                rays = rays + onward
            elif view[elbow] == 1:
                moves.append(step)
        for ray in rays:
            for target, step in ray:
                if view[target]:
                    if view[target] == 1:
                        moves.append(step)
                    break
                moves.append(step)
        for ray in quiet:
            for target, step in ray:
                if view[target]:
                    break
                moves.append(step)
        for ray in takes:
            for target, step in ray:
                if view[target]:
                    if view[target] == 1:
                        moves.append(step)
                    break
        if upgrades is not None and len(moves) > start:
            if full is None:
                full = _full(tables, board, board[origin] >> 7)
            moves[start:] = _promoted(moves[start:], upgrades, full)
    return moves


def _full(tables: Tables, board: bytes, side: int) -> frozenset[str]:
    """Roles to which no piece of that side may promote because it has as many of them as are allowed."""
    if not tables.limits:
        return frozenset()
    codes = tables.codes

    def number(role: str) -> int:
        plain, promoted = codes.placed[side][role], codes.become[side][role]
        return board.count(plain) + (board.count(promoted) if promoted != plain else 0)

    return frozenset(role for role, limit in tables.limits if number(role) >= limit)


def _promoted(steps: list[NormalMove], upgrades: Upgrades, full: frozenset[str]) -> list[NormalMove]:
    found = []
    for step in steps:
        upgrade = upgrades.get(step.target)
        if upgrade is None:
            found.append(step)
            continue
        forced, promotions = upgrade
        if not forced:
            found.append(step)
        found += [one for one in promotions if one.promotion not in full]
    return found


def _king_moves(tables: Tables, board: bytes, view: bytes, king: int, foes: list[int]) -> list[NormalMove]:
    steps = _piece_moves(tables, board, view, [king])
    reaches = reaches_of(tables, board, foes) if steps else []
    return [step for step in steps if not is_reached(board, step.target, reaches, king)]


def _en_passant_captures(position: Position, foes: list[int]) -> list[NormalMove]:
    """Legal en passant captures, tested on a copy of the board, since two pawns leave their squares at once.

    Where captures explode they are not tested here.
    """
    tables, board, side, target = position.tables, position.board, position.side, position.en_passant
    king, taken = position.kings[side], tables.behind(side, target)
    found = []
    for origin, code in tables.en_passant[side].get(target, ()):
        if board[origin] == code:
            after = bytearray(board)
            after[target], after[origin], after[taken] = code, 0, 0
            attackers = [square for square in foes if square != taken]
            if king < 0 or tables.around or not is_attacked(tables, bytes(after), king, attackers):
                found.append(tables.targets[origin << 8 | target][1])
    return found


@dataclass(frozen=True, slots=True)
class CastlingPlan:
    """Castling of a king with one rook."""

    move: Castle
    gated: tuple[Castle, ...]
    """The move with each gated role: on the king's square, then on the rook's."""
    empty: tuple[int, ...]
    """Squares that must be empty but for this king and rook."""
    safe: tuple[int, ...]
    """Squares that the king crosses, without the last."""


@lru_cache(maxsize=1024)
def _castling_plan(variant: Variant, chess960: bool, king: int, rook: int) -> CastlingPlan:
    """The plan for a king and a rook on the same first rank; the variant must have castling."""
    castling = variant.castling
    if castling is None:
        raise ValueError("this variant has no castling")
    wing = 0 if rook > king else 1
    rank = king - king % variant.files
    king_to, rook_to = rank + castling.king_to[wing], rank + castling.rook_to[wing]
    crossed = _between(king, king_to)
    needed = {*crossed, *_between(rook, rook_to)} - {king, rook}
    names = variant.geometry.names
    forth, back = (names[king], names[rook]) if chess960 else (names[king], names[king_to])
    gated = []
    for square, text in ((king, forth + back), (rook, names[rook] + names[king])):
        if square not in (king_to, rook_to):
            for gate in variant.gates:
                gated.append(Castle(king, king_to, rook, rook_to, gate, square, text + gate))
    plain = Castle(king, king_to, rook, rook_to, None, -1, forth + back)
    return CastlingPlan(plain, tuple(gated), tuple(sorted(needed)), tuple(set(crossed) - {king_to}))


def _between(origin: int, target: int) -> range:
    """The squares from `origin` to `target`, both included."""
    return range(min(origin, target), max(origin, target) + 1)


def castling_plans(position: Position) -> Iterator[CastlingPlan]:
    """The castlings that the side to move has a right to, possible now or not."""
    variant, side = position.variant, position.side
    first = (variant.ranks - 1) * variant.files if side else 0
    rooks = position.castling >> first & (1 << variant.files) - 1
    for file in range(variant.files):
        if rooks >> file & 1:
            yield _castling_plan(variant, position.chess960, position.castling_king(side), first + file)


def _castlings(position: Position, king: int, foes: list[int]) -> list[Castle]:
    tables, board = position.tables, position.board
    sheltered = tables.around[position.kings[1 - position.side]] if tables.around else ()
    found: list[Castle] = []
    for plan in castling_plans(position):
        if any(board[square] for square in plan.empty):
            continue
        if king >= 0 and any(
            square not in sheltered and is_attacked(tables, board, square, foes, king) for square in plan.safe
        ):
            continue
        target = plan.move.target
        if (
            king >= 0
            and target not in sheltered
            and is_attacked(tables, bytes(castled(board, plan.move)), target, foes)
        ):
            continue
        found.append(plan.move)
        if position.gates:
            pocket, index = position.pockets[position.side], tables.codes.pocket_index
            found += [
                move
                for move in plan.gated
                if position.gates >> move.gate_square & 1 and move.gate is not None and pocket[index[move.gate]]
            ]
    return found


def _gatings(position: Position, moves: list[Move]) -> list[NormalMove]:
    """Every plain move from a square with a gating right, with each piece that may be gated."""
    tables, gates, pocket = position.tables, position.gates, position.pockets[position.side]
    index = tables.codes.pocket_index
    held = [nth for nth, gate in enumerate(tables.variant.gates) if pocket[index[gate]]]
    found: list[NormalMove] = []
    for move in moves:
        if type(move) is NormalMove and gates >> move.origin & 1 and move.promotion is None:
            twins = tables.gated[move.uci]
            found += [twins[nth] for nth in held]
    return found


def _drops(position: Position, only: frozenset[int] | None) -> list[Drop]:
    """Drops on empty squares, or on those of `only`."""
    tables, board, side = position.tables, position.board, position.side
    found: list[Drop] = []
    if only is not None:
        targets = [square for square in only if not board[square]]
        for row, number in zip(tables.drop_rows[side], position.pockets[side], strict=True):
            if number:
                found += [row.by_square[square] for square in targets if square in row.by_square]
        return found
    vacant = board.translate(VACANT)
    for row, number in zip(tables.drop_rows[side], position.pockets[side], strict=True):
        if number:
            found += compress(row.drops, row.select(vacant))
    return found


def _setup_drops(position: Position) -> list[Drop]:
    """The drops of a set-up phase, after which every pair can still be placed on opposite colours.

    There are no checks while the armies are placed behind their pawns.
    """
    tables, board, side = position.tables, position.board, position.side
    pocket_rule = tables.variant.pocket
    pairs = pocket_rule.pairs if pocket_rule else frozenset[str]()
    is_dark = tables.variant.geometry.is_dark
    found: list[Drop] = []
    for row, number in zip(tables.drop_rows[side], position.pockets[side], strict=True):
        if not number:
            continue
        for drop in row.drops:
            if board[drop.target]:
                continue
            dark = is_dark(drop.target)
            if row.role in pairs and dark not in _wanted(position, row.role):
                continue
            if all(_can_complete(position, role, drop) for role in pairs):
                found.append(drop)
    return found


def _wanted(position: Position, role: str) -> set[bool]:
    """The square colours (True = dark) that the pieces of a paired role in the pocket still need."""
    tables, side = position.tables, position.side
    code = tables.codes.placed[side][role]
    standing = {tables.variant.geometry.is_dark(s) for s in tables.squares if position.board[s] == code}
    held = position.pockets[side][tables.codes.pocket_index[role]]
    return {True, False} - standing if held else set()


def _can_complete(position: Position, role: str, drop: Drop) -> bool:
    """Is there a free square of each colour that the role still needs after the drop?"""
    tables, side = position.tables, position.side
    is_dark = tables.variant.geometry.is_dark
    wanted = _wanted(position, role)
    if drop.role == role:
        wanted.discard(is_dark(drop.target))
    row = tables.drop_rows[side][tables.codes.pocket_index[role]]
    free = {is_dark(s) for s in row.by_square if not position.board[s] and s != drop.target}
    return wanted <= free
