"""Moves as UCI text: e2e4, a7a8q, P@e4, b1c3h. Knows positions, decides nothing about legality itself."""

import re

from server.rules.errors import IllegalMove, InvalidMove
from server.rules.legal import moves_by_uci
from server.rules.moves import Move
from server.rules.position import Position

_FORM = re.compile(r"(?:[a-p]\d{1,2}[a-p]\d{1,2}[a-z+]?|[A-Z]@[a-p]\d{1,2})")
_LONGEST = 8


def format_uci(position: Position, move: Move) -> str:
    """The text of a move of this position."""
    return move.uci


def parse_uci(position: Position, text: str) -> Move:
    """The legal move of that text. Raises InvalidMove when it is no move at all, IllegalMove when it is not legal.

    Where the file of arrival decides what a pawn becomes, the letter may be left out.
    """
    moves = moves_by_uci(position)
    move = moves.get(text)
    if move is not None:
        return move
    if len(text) > _LONGEST or not _FORM.fullmatch(text):
        raise InvalidMove(f"{text[:20]!r} is not a move; moves are written like e2e4, a7a8q or N@f3.")
    for rule in position.variant.promotions.values():
        for letter in rule.by_file and rule.to:
            if text + letter in moves:
                return moves[text + letter]
    raise IllegalMove(f"{text} is not legal here.")


def parse_uci_trusted(position: Position, text: str) -> Move:
    """The move of that text in a stored game; like parse_uci, for a text that was legal when it was stored."""
    return parse_uci(position, text)
