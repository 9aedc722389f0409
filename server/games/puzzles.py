"""A puzzle as a value: a position in which one line of moves wins. Judges a solver's moves and rates their tries.
Runs no engine.

Each request brings all moves of the solver so far and has them judged from the start, so no state is kept in between.
The answer contains no move of the solution that the solver has not found, except the opponent's reply to the last one.

A try is rated as a game against the puzzle, by the same Glicko-2 as games between people.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from hashlib import sha256
from typing import Final

from server.games.rating import Rating, rated
from server.rules.endings import Reason, outcome
from server.rules.errors import IllegalMove
from server.rules.movegen.legal import play
from server.rules.movegen.moves import Castle, Drop, Move, NormalMove
from server.rules.movegen.position import Position
from server.rules.notation.fen import parse_fen
from server.rules.notation.uci import parse_uci
from server.rules.variant.variant import Variant

ID_LENGTH: Final = 10
"""Characters of an id. It does not reveal the game, which would be half of the solution."""


class Theme(StrEnum):
    """What the solution shows: how it ends, or which special moves it takes."""

    MATE = "mate"
    STALEMATE = "stalemate"
    BARE_KING = "bare-king"
    GOAL = "goal"
    CHECKS = "checks"
    ADVANTAGE = "advantage"
    DROP = "drop"
    GATING = "gating"
    PROMOTION = "promotion"
    CASTLING = "castling"


ENDINGS: Final = {
    Reason.CHECKMATE.value: Theme.MATE,
    Reason.STALEMATE.value: Theme.STALEMATE,
    Reason.BARE_KING.value: Theme.BARE_KING,
    Reason.GOAL.value: Theme.GOAL,
    Reason.CHECKS.value: Theme.CHECKS,
}


class InvalidPuzzle(ValueError):
    """The puzzle does not keep to the rules or is not what it claims to be; the message says why."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """`line`: moves in UCI from `fen`, the solver's and the replies to them in turn; it ends with one of the solver's.

    `last`: the move that led to `fen`, half-move `ply` (from 1) of `game`. `made`: ms since the epoch. `rating`: how
    hard it has proved for its solvers.
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
    """The id of the puzzle after that half-move of a game; making it again gives the same id."""
    return sha256(f"{game} {ply}".encode()).hexdigest()[:ID_LENGTH]


def wins_at_once(position: Position) -> bool:
    """Has the side that just moved won on the board?"""
    end = outcome(position)
    return end is not None and end.winner is position.turn.other


def themes_of(position: Position, line: Sequence[str]) -> frozenset[Theme]:
    """The themes of a line from this position. Raises IllegalMove, InvalidMove."""
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


def prove_puzzle(puzzle: Puzzle, variant: Variant) -> None:
    """Plays the line by the rules. Raises InvalidPuzzle if it does not win or its themes are others; InvalidFen,
    IllegalMove, InvalidMove.
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


@dataclass(frozen=True, slots=True)
class Reached:
    """A position and the move that led to it."""

    position: Position
    move: Move


@dataclass(frozen=True, slots=True)
class Verdict:
    """`right`: are all moves right? `after`: where the last one led; `reply`: the opponent's answer, if any."""

    right: bool
    solved: bool
    after: Reached
    reply: Reached | None = None


def judge_moves(puzzle: Puzzle, variant: Variant, moves: Sequence[str]) -> Verdict:
    """Judges the solver's moves (UCI, at least one) up to the first wrong one.

    A move that ends the game with a win solves the puzzle, even if the line has another. Raises IllegalMove,
    InvalidMove.
    """
    position = parse_fen(variant, puzzle.fen, puzzle.chess960)
    for number, uci in enumerate(moves):
        move = parse_uci(position, uci)
        after = Reached(play(position, move), move)
        if wins_at_once(after.position):
            return Verdict(True, True, after)
        if move.uci != puzzle.line[2 * number]:
            return Verdict(False, False, after)
        if 2 * number + 1 >= len(puzzle.line):
            return Verdict(True, True, after)
        answer = parse_uci(after.position, puzzle.line[2 * number + 1])
        position = play(after.position, answer)
        if number == len(moves) - 1:
            return Verdict(True, False, after, Reached(position, answer))
    raise IllegalMove("illegal", move="")


def solution(puzzle: Puzzle, variant: Variant) -> Sequence[Reached]:
    """Every move of the line, and where it leads."""
    position, reached = parse_fen(variant, puzzle.fen, puzzle.chess960), []
    for uci in puzzle.line:
        move = parse_uci(position, uci)
        position = play(position, move)
        reached.append(Reached(position, move))
    return reached


@dataclass(frozen=True, slots=True)
class PuzzleStanding:
    """`rating.games`: how many puzzles were tried; `solved`: of these, at the first try. `streak`: how many of the last
    ones without a miss; `best`: the longest such streak.
    """

    rating: Rating = field(default_factory=Rating)
    solved: int = 0
    streak: int = 0
    best: int = 0


def after_try(mine: PuzzleStanding, puzzle: Rating, solved: bool, now: int) -> tuple[PuzzleStanding, Rating]:
    """The solver's standing and the puzzle's rating after a try at `now` (ms)."""
    streak = mine.streak + 1 if solved else 0
    standing = PuzzleStanding(
        rated(mine.rating, puzzle, float(solved), now), mine.solved + solved, streak, max(mine.best, streak)
    )
    return standing, rated(puzzle, mine.rating, float(not solved), now)
