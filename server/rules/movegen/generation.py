"""Generates all legal moves of a position.

Checks and pins are found first, so most moves need no test of their own; only king moves, en passant and castling are
tested for attacks on the king. A piece may go to any square that meets every check: in chess two checks never share
one, but those of two bent riders can.
"""

from collections.abc import Iterator
from itertools import compress

from server.rules.movegen.attacks import checks_and_pins, is_attacked, squares_of
from server.rules.movegen.castling import CastlingPlan, castled, castling_plan
from server.rules.movegen.moves import Castle, Drop, Move, NormalMove
from server.rules.movegen.position import Position
from server.rules.movegen.setup_drops import setup_drops
from server.rules.movegen.tables import Tables, Upgrades
from server.rules.variant.piece_codes import VACANT, VIEW


def generate(position: Position) -> tuple[tuple[Move, ...], bool]:
    """The legal moves, and whether the side to move is in check. There are none if a bare king has lost."""
    own = squares_of(position.tables, position.board, position.side)
    foes = squares_of(position.tables, position.board, 1 - position.side)
    if position.variant.endings.bare_king_loses and (len(own) == 1 or len(foes) == 1):
        return (), is_attacked(position.tables, position.board, position.kings[position.side], foes)
    return generate_ignoring_bare_king(position, own, foes)


def generate_ignoring_bare_king(position: Position, own: list[int], foes: list[int]) -> tuple[tuple[Move, ...], bool]:
    """As `generate`, as if a bare king did not end the game.

    `own`, `foes`: the squares of the side to move and of the other. `own` is modified.
    """
    tables, board, side = position.tables, position.board, position.side
    variant = tables.variant
    king = position.kings[side]
    checks, pins = checks_and_pins(tables, board, king, foes)
    holds = any(position.pockets[side])
    if holds and variant.pocket is not None and variant.pocket.setup:
        return tuple(setup_drops(position)), bool(checks)
    view = board.translate(VIEW[side])
    moves: list[Move] = []
    answers = frozenset.intersection(*checks) if checks else None
    if answers is None or answers:
        if king >= 0:
            own.remove(king)
        steps = piece_moves(tables, board, view, own)
        if pins:
            steps = [step for step in steps if step.origin not in pins or step.target in pins[step.origin]]
        if answers:
            steps = [step for step in steps if step.target in answers]
        if position.en_passant >= 0 and not board[position.en_passant]:
            steps += _en_passant(position, foes)
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
    return tuple(moves), bool(checks)


def piece_moves(tables: Tables, board: bytes, view: bytes, origins: list[int]) -> list[NormalMove]:
    """Pseudo-legal moves of the pieces on `origins`, without castling, en passant, gating and drops.

    `view`: the board as 0 empty, 1 enemy, 2 own. In this innermost loop a call often costs more than its work.
    """
    plans = tables.plans
    moves: list[NormalMove] = []
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
            moves[start:] = _promoted(moves[start:], upgrades, _full(tables, board, origin))
    return moves


def _full(tables: Tables, board: bytes, origin: int) -> frozenset[str]:
    """Roles to which a piece there may not promote because its side has as many of them as are allowed."""
    if not tables.limits:
        return frozenset()
    side = board[origin] >> 7
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
    steps = piece_moves(tables, board, view, [king])
    return [step for step in steps if not is_attacked(tables, board, step.target, foes, king)]


def _en_passant(position: Position, foes: list[int]) -> list[NormalMove]:
    """Legal en passant captures, tested on a copy of the board, since two pawns leave their squares at once."""
    tables, board, side, target = position.tables, position.board, position.side, position.en_passant
    king, taken = position.kings[side], tables.behind(side, target)
    found = []
    for origin, code in tables.en_passant[side].get(target, ()):
        if board[origin] == code:
            after = bytearray(board)
            after[target], after[origin], after[taken] = code, 0, 0
            attackers = [square for square in foes if square != taken]
            if king < 0 or not is_attacked(tables, bytes(after), king, attackers):
                found.append(tables.targets[origin << 8 | target][1])
    return found


def castling_plans(position: Position) -> Iterator[CastlingPlan]:
    """The castlings that the side to move has a right to, possible now or not."""
    variant, side = position.variant, position.side
    first = (variant.ranks - 1) * variant.files if side else 0
    rooks = position.castling >> first & (1 << variant.files) - 1
    for file in range(variant.files):
        if rooks >> file & 1:
            yield castling_plan(variant, position.chess960, position.kings[side], first + file)


def _castlings(position: Position, king: int, foes: list[int]) -> list[Castle]:
    tables, board = position.tables, position.board
    found: list[Castle] = []
    for plan in castling_plans(position):
        if any(board[square] for square in plan.empty):
            continue
        if any(is_attacked(tables, board, square, foes, king) for square in plan.safe):
            continue
        if is_attacked(tables, bytes(castled(board, plan.move)), plan.move.target, foes):
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
