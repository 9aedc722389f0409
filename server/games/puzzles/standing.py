"""What somebody has done at the puzzles of one form, and how a try changes their rating and the puzzle's.

A try is a game against the puzzle, by the same Glicko-2 as games between people.
"""

from dataclasses import dataclass, field

from server.games.rating import Rating, rated


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
