"""Legal moves and playing them: the public face of move generation.

A position generates its moves at most once; listing, checking, parsing and writing moves all use that list.
"""

from server.rules.errors import IllegalMove
from server.rules.movegen.attacks import is_attacked, squares_of
from server.rules.movegen.generation import generate, generate_ignoring_bare_king
from server.rules.movegen.making import play_trusted
from server.rules.movegen.moves import Move
from server.rules.movegen.position import Position


def legal_moves(position: Position) -> tuple[Move, ...]:
    """All legal moves, in no particular order; none if a bare king has ended the game."""
    moves = position._legal
    if moves is None:
        moves, check = generate(position)
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
        tables, board, side = position.tables, position.board, position.side
        check = is_attacked(tables, board, position.kings[side], squares_of(tables, board, 1 - side))
        object.__setattr__(position, "_check", check)
    return check


def is_mate(position: Position) -> bool:
    """Is the side to move checkmated? A win by bare king alone is not a mate."""
    if not in_check(position) or legal_moves(position):
        return False
    if not position.variant.endings.bare_king_loses:
        return True
    tables, board, side = position.tables, position.board, position.side
    moves, _ = generate_ignoring_bare_king(
        position, squares_of(tables, board, side), squares_of(tables, board, 1 - side)
    )
    return not moves


def king_can_be_taken(position: Position) -> bool:
    """Is the side that just moved in check? Such a position can be read and judged, but not reached in a game."""
    tables, board, side = position.tables, position.board, position.side
    return is_attacked(tables, board, position.kings[1 - side], squares_of(tables, board, side))


def play(position: Position, move: Move) -> Position:
    """The position after the move. Raises IllegalMove."""
    if not is_legal(position, move):
        raise IllegalMove("illegal", move=move.uci)
    return play_trusted(position, move)
