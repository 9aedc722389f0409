"""Judges the moves of somebody who solves a puzzle: all of them each time, so that nothing has to be remembered.

The answer never contains a move of the solution that has not been found yet, except the opponent's reply to the last
one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from server.games.puzzles.puzzle import Puzzle, wins_at_once
from server.rules.errors import IllegalMove
from server.rules.movegen.legal import play
from server.rules.movegen.moves import Move
from server.rules.movegen.position import Position
from server.rules.notation.fen import parse_fen
from server.rules.notation.uci import parse_uci
from server.rules.variant.variant import Variant


@dataclass(frozen=True, slots=True)
class Reached:
    """A position and the move that led to it."""

    position: Position
    move: Move


@dataclass(frozen=True, slots=True)
class Verdict:
    """`right`: every move was. `after`: where the last one led; `reply`: the opponent's answer; None: there is none."""

    right: bool
    solved: bool
    after: Reached
    reply: Reached | None = None


def judge(puzzle: Puzzle, variant: Variant, moves: Sequence[str]) -> Verdict:
    """Judges the solver's moves (UCI), of which there is at least one; nothing after a wrong one is looked at.

    A move that wins on the board at once solves the puzzle, whichever the line has. Raises IllegalMove, InvalidMove.
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
