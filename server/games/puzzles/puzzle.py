"""A puzzle as a value: a position in which one line of moves wins. Knows neither an engine nor who solves it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Final

from server.games.rating import Rating
from server.rules.endings import Reason, outcome
from server.rules.movegen.legal import play
from server.rules.movegen.moves import Castle, Drop, Move, NormalMove
from server.rules.movegen.position import Position
from server.rules.notation.fen import parse_fen
from server.rules.notation.uci import parse_uci
from server.rules.variant.variant import Variant

ID_LENGTH: Final = 10
"""Characters of an id, which says nothing of the game: that would be half of the solution."""


class Theme(StrEnum):
    """What somebody who has solved a puzzle has done: how it ended, and what kinds of moves it took."""

    MATE = "mate"
    STALEMATE = "stalemate"
    BARE_KING = "bare-king"
    ADVANTAGE = "advantage"
    DROP = "drop"
    GATING = "gating"
    PROMOTION = "promotion"
    CASTLING = "castling"


ENDINGS: Final = {
    Reason.CHECKMATE.value: Theme.MATE,
    Reason.STALEMATE.value: Theme.STALEMATE,
    Reason.BARE_KING.value: Theme.BARE_KING,
}


class InvalidPuzzle(ValueError):
    """The rules do not find in it what it claims; the message says what."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """`line`: moves in UCI from `fen`, the solver's and the replies to them in turn; it ends with one of the solver's.

    `last`: the move that led to `fen`, half-move `ply` (from 1) of `game`. `made`: ms since the epoch. `rating`: how
    hard it is, from who has tried it.
    """

    id: str
    variant: str
    chess960: bool
    fen: str
    last: str
    line: tuple[str, ...]
    themes: frozenset[Theme]
    game: str
    ply: int
    made: int
    rating: Rating = field(default_factory=Rating)


def puzzle_id(game: str, ply: int) -> str:
    """The id of the puzzle after that half-move: the same whenever it is made."""
    return sha256(f"{game} {ply}".encode()).hexdigest()[:ID_LENGTH]


def wins_at_once(position: Position) -> bool:
    """Has the side that just moved won on the board?"""
    end = outcome(position)
    return end is not None and end.winner is position.turn.other


def themes_of(position: Position, line: Sequence[str]) -> frozenset[Theme]:
    """What the line from this position shows. Raises IllegalMove, InvalidMove."""
    found = set()
    for number, uci in enumerate(line):
        move = parse_uci(position, uci)
        if number % 2 == 0:
            found |= set(_kinds(move))
        position = play(position, move)
    end = outcome(position)
    return frozenset(found | {Theme.ADVANTAGE if end is None else ENDINGS.get(end.reason, Theme.ADVANTAGE)})


def _kinds(move: Move) -> list[Theme]:
    kinds = []
    if isinstance(move, Drop):
        kinds.append(Theme.DROP)
    if isinstance(move, Castle):
        kinds.append(Theme.CASTLING)
    if isinstance(move, NormalMove) and move.promotion:
        kinds.append(Theme.PROMOTION)
    if not isinstance(move, Drop) and move.gate:
        kinds.append(Theme.GATING)
    return kinds


def prove(puzzle: Puzzle, variant: Variant) -> None:
    """Has the rules play the line. Raises InvalidPuzzle if they do not find each move legal and the end as claimed,
    InvalidFen, IllegalMove, InvalidMove.
    """
    position = parse_fen(variant, puzzle.fen, puzzle.chess960)
    if len(puzzle.line) % 2 == 0:
        raise InvalidPuzzle("its line does not end with a move of the solver's")
    if themes_of(position, puzzle.line) != puzzle.themes:
        raise InvalidPuzzle("its themes are not those of its line")
    for uci in puzzle.line[:-1]:
        position = play(position, parse_uci(position, uci))
        if outcome(position) is not None:
            raise InvalidPuzzle("the game is over before its line is")
    position = play(position, parse_uci(position, puzzle.line[-1]))
    if outcome(position) is not None and not wins_at_once(position):
        raise InvalidPuzzle("its line does not win")
