"""Endings on the board: the outcome of a position, its reason, and whether a side can still win."""

from dataclasses import dataclass
from enum import StrEnum

from server.rules.movegen.attacks import squares_of
from server.rules.movegen.legal import in_check, legal_moves
from server.rules.movegen.position import Position
from server.rules.movegen.variant_ends import awaits_reply, variant_end
from server.rules.variant.pieces import Color


class Reason(StrEnum):
    """Why a game is over on the board."""

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    INSUFFICIENT = "insufficient"
    REPETITION = "repetition"
    MOVE_RULE = "move-rule"
    BARE_KING = "bare-king"
    GOAL = "goal"
    CHECKS = "checks"
    EXTINCTION = "extinction"
    EXPLOSION = "explosion"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a game; without a winner it is a draw."""

    winner: Color | None
    reason: str

    @property
    def result(self) -> str:
        """ "1-0", "0-1" or "1/2-1/2"."""
        if self.winner is None:
            return "1/2-1/2"
        return "1-0" if self.winner is Color.WHITE else "0-1"


def outcome(position: Position, seen: int = 1) -> Outcome | None:
    """The outcome of a game that reaches this position, or None if it goes on.

    `seen`: occurrences of its `repetition_key` in the game, this one included. Checked in this order: the ends that
    chess does not have, no legal moves, insufficient material, repetition, move rule.
    """
    rule = position.variant.endings
    if position.tables.ends and (end := variant_end(position)):
        return Outcome(None if end[0] is None else Color(end[0]), Reason(end[1]))
    if not legal_moves(position):
        if position.tables.ends and awaits_reply(position):
            return Outcome(position.turn.other, Reason.GOAL)
        if in_check(position):
            return Outcome(position.turn.other, Reason.CHECKMATE)
        winner = position.turn.other if rule.stalemate_loses else position.turn if rule.stalemate_wins else None
        return Outcome(winner, Reason.STALEMATE)
    if rule.insufficient and _is_dead(position):
        return Outcome(None, Reason.INSUFFICIENT)
    if seen >= rule.repetition:
        return Outcome(None, Reason.REPETITION)
    if rule.move_rule and position.halfmoves >= rule.move_rule:
        return Outcome(None, Reason.MOVE_RULE)
    return None


def can_win(position: Position, color: Color) -> bool:
    """Could any legal moves, however unlikely, lead to a mate by `color`? True where that is not certainly impossible.

    In chess the answer is that of python-chess. A piece that can mate alone, or become one that does, is enough; so is
    any piece together with what may stand in the way of the other king. A knight's mate needs more for that than
    queens, which can always take or block; a bishop's needs more than queens, rooks and bishops on the same colour.
    """
    if not position.variant.endings.insufficient:
        return True
    side = color.value
    if any(position.pockets[side]):
        return True
    tables, board, codes = position.tables, position.board, position.tables.codes
    own = _pieces(position, side)
    if not own or any(board[square] in codes.mating for square in own):
        return bool(own)
    foes = _pieces(position, 1 - side)
    if any(position.pockets[1 - side]) and (position.gates or tables.drop_rows[1 - side]):
        return True
    if not any(board[square] in codes.color_bound for square in own):
        harmless = codes.like_queens if all(board[square] in codes.like_knights for square in own) else frozenset()
        return len(own) > 1 or any(board[square] not in harmless for square in foes)
    harmless = codes.like_rooks if all(board[square] in codes.like_bishops for square in own) else frozenset()
    bound = [square for square in own + foes if board[square] in codes.color_bound]
    if any(board[square] not in harmless for square in own + foes if square not in bound):
        return True
    return len({tables.variant.geometry.is_dark(square) for square in bound}) > 1


def _pieces(position: Position, side: int) -> list[int]:
    """The squares of the side's pieces but its king."""
    tables, board = position.tables, position.board
    return [square for square in squares_of(tables, board, side) if board[square] not in tables.codes.kings]


def _is_dead(position: Position) -> bool:
    """Can neither side win? The first test settles nearly every position."""
    if position.board.translate(None, position.tables.codes.weak):
        return False
    return not any(can_win(position, color) for color in Color)
