"""Endings on the board: the outcome of a position, its reason, and whether a side can still win."""

from dataclasses import dataclass
from enum import StrEnum

from server.rules.movegen.attacks import squares_of
from server.rules.movegen.legal import in_check, legal_moves
from server.rules.movegen.position import Position
from server.rules.variant.piece_codes import OWN
from server.rules.variant.pieces import Color


class Reason(StrEnum):
    """Why a game is over on the board."""

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    INSUFFICIENT = "insufficient"
    REPETITION = "repetition"
    MOVE_RULE = "move-rule"
    BARE_KING = "bare-king"


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

    `seen`: occurrences of `position.key` in the game, this one included. Checked in this order: bare king, no legal
    moves, insufficient material, repetition, move rule.
    """
    rule = position.variant.endings
    if rule.bare_king_loses:
        for color in Color:
            if is_bare(position, color):
                return Outcome(color.other, Reason.BARE_KING)
    if not legal_moves(position):
        if in_check(position):
            return Outcome(position.turn.other, Reason.CHECKMATE)
        return Outcome(position.turn.other if rule.stalemate_loses else None, Reason.STALEMATE)
    if rule.insufficient and _is_dead(position):
        return Outcome(None, Reason.INSUFFICIENT)
    if seen >= rule.repetition:
        return Outcome(None, Reason.REPETITION)
    if rule.move_rule and position.halfmoves >= rule.move_rule:
        return Outcome(None, Reason.MOVE_RULE)
    return None


def is_bare(position: Position, color: Color) -> bool:
    """Has the side nothing but its king?"""
    return position.board.translate(OWN[color.value]).count(1) == 1


def can_win(position: Position, color: Color) -> bool:
    """Has the side sufficient mating material under the variant's rule?

    The rule of Fairy-Stockfish: a piece that can mate alone, or a pawn; a piece that is not colour-bound together with
    any other piece of either side; colour-bound pieces only together with one on the other colour.
    """
    if not position.variant.endings.insufficient:
        return True
    side = color.value
    if any(position.pockets[side]):
        return True
    tables, board = position.tables, position.board
    own = [board[square] for square in squares_of(tables, board, side)]
    if any(code in tables.codes.mating for code in own):
        return True
    others = [square for square in tables.squares if board[square] and board[square] not in tables.codes.kings]
    bound = [square for square in others if board[square] in tables.codes.color_bound]
    if any(code in tables.codes.color_bound for code in own):
        shades = {tables.variant.geometry.is_dark(square) for square in bound}
        return len(shades) == 2 or len(bound) < len(others)
    return len(own) > 1 and len(others) > 1


def _is_dead(position: Position) -> bool:
    """Can neither side win? The first test settles nearly every position."""
    if position.board.translate(None, position.tables.codes.weak):
        return False
    return not any(can_win(position, color) for color in Color)
