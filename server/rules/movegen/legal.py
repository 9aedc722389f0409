"""What is legal in a position, and playing it. The public face of move generation.

Each position generates its moves at most once: listing, checking, parsing and writing moves all use that one list.
"""

from server.rules.errors import IllegalMove
from server.rules.movegen.attacks import is_attacked, squares_of
from server.rules.movegen.generation import generate, generate_ignoring_bare_king
from server.rules.movegen.making import make
from server.rules.movegen.moves import Move
from server.rules.movegen.position import Position


def legal_moves(position: Position) -> tuple[Move, ...]:
    """All legal moves, in no promised order; none when a bare king has ended the game."""
    moves = position._legal
    if moves is None:
        moves, check = generate(position)
        object.__setattr__(position, "_legal", moves)
        object.__setattr__(position, "_check", check)
    return moves


def legal_ucis(position: Position) -> list[str]:
    """The UCI texts of all legal moves."""
    return [move.uci for move in legal_moves(position)]


def legal_move(position: Position, uci: str) -> Move | None:
    """The legal move of exactly that text, if there is one. No index is kept: it would be most of what a game holds."""
    for move in legal_moves(position):
        if move.uci == uci:
            return move
    return None


def is_legal(position: Position, move: Move) -> bool:
    return move in legal_moves(position)


def in_check(position: Position) -> bool:
    """Whether the king of the side to move is attacked."""
    check = position._check
    if check is None:
        tables, board, side = position.tables, position.board, position.side
        check = is_attacked(tables, board, position.kings[side], squares_of(tables, board, 1 - side))
        object.__setattr__(position, "_check", check)
    return check


def is_mate(position: Position) -> bool:
    """Whether the side to move is in check and could not save its king. A win by bare king alone is no mate."""
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
    """Whether the side that just moved stands in check: such a position can be read and judged, but no game has it."""
    tables, board, side = position.tables, position.board, position.side
    return is_attacked(tables, board, position.kings[1 - side], squares_of(tables, board, side))


def play(position: Position, move: Move) -> Position:
    """The position after the move. Raises IllegalMove."""
    if not is_legal(position, move):
        raise IllegalMove("illegal", move=move.uci)
    return make(position, move)


def play_trusted(position: Position, move: Move) -> Position:
    """The position after a move known to be legal, as in the replay of a stored game; not checked."""
    return make(position, move)
