"""Puzzles in a store, and which games were searched for them.

Ratings are stored in thousandths of a point, volatilities in millionths. Times are ms since the epoch.
"""

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from server.games.puzzles.puzzle import Puzzle, Theme
from server.games.rating import Rating
from server.storage.fields import Fields, FlatRecord, flag, flat, instant, text, within
from server.storage.protocols.ratings import MAX_GAMES, MAX_VALUE, MICRO, MILLI


@dataclass(frozen=True, slots=True)
class Searched:
    """The game with that id was searched for puzzles at `at`."""

    game: str
    variant: str
    at: int


class PuzzleStore(Protocol):
    """All methods raise Unavailable."""

    async def keep(self, searched: Searched, puzzles: Sequence[Puzzle]) -> None:
        """Stores what was found in a game, and that it was searched. A puzzle that exists stays as it is."""

    async def searched(self, games: Collection[str]) -> Set[str]:
        """Those of these games (ids) that were searched."""

    async def find(self, puzzle: str) -> Puzzle | None:
        """The puzzle with that id."""

    async def count(self, variant: str, chess960: bool) -> int:
        """How many there are of a form."""

    async def near(
        self, variant: str, chess960: bool, value: float, but: Collection[str], most: int
    ) -> Sequence[Puzzle]:
        """Puzzles of a form but those with these ids: up to `most` of those rated `value` or higher, the lowest first,
        and as many of the lower ones, the highest first.
        """

    async def page(self, variant: str, after: str, most: int) -> Sequence[Puzzle]:
        """Up to `most` puzzles of a variant ("": of any) by their ids, from the first behind `after` on."""

    async def remove(self, puzzles: Collection[str]) -> int:
        """Deletes those with these ids, and what people did at them; how many there were."""

    async def forget_searched(self, variant: str) -> None:
        """Forgets which games of a variant ("": of any) were searched."""


def rating_fields(rating: Rating) -> Mapping[str, int]:
    """The rating in whole thousandths and, for the volatility, millionths: stores compare them exactly."""
    return {
        "rating": round(rating.value * MILLI),
        "deviation": round(rating.deviation * MILLI),
        "volatility": round(rating.volatility * MICRO),
        "tries": rating.games,
        "rated_at": rating.at,
    }


def rating_of(fields: Fields) -> Rating:
    """The rating of stored fields. Raises as `fields` says."""
    value, deviation, volatility = (within(fields, name, MAX_VALUE) for name in ("rating", "deviation", "volatility"))
    tries = within(fields, "tries", MAX_GAMES)
    return Rating(value / MILLI, deviation / MILLI, volatility / MICRO, tries, instant(fields, "rated_at"))


def to_document(puzzle: Puzzle) -> FlatRecord:
    """The puzzle as a record."""
    return {
        "_id": puzzle.id,
        "variant": puzzle.variant,
        "chess960": int(puzzle.chess960),
        "fen": puzzle.fen,
        "last": puzzle.last,
        "line": " ".join(puzzle.line),
        "themes": " ".join(sorted(puzzle.themes)),
        "game": puzzle.game,
        "ply": puzzle.ply,
        "made": puzzle.made,
        **rating_fields(puzzle.rating),
    }


def puzzle_of(fields: Fields) -> Puzzle:
    """The puzzle of stored fields. Raises as `fields` says."""
    line = tuple(text(fields, "line").split())
    if len(line) % 2 == 0:
        raise ValueError("its line does not end with a move of the solver's")
    return Puzzle(
        id=text(fields, "_id"),
        variant=text(fields, "variant"),
        chess960=flag(fields, "chess960"),
        fen=text(fields, "fen"),
        last=text(fields, "last"),
        line=line,
        themes=frozenset(map(Theme, text(fields, "themes").split())),
        game=text(fields, "game"),
        ply=within(fields, "ply", MAX_GAMES),
        made=instant(fields, "made"),
        rating=rating_of(fields),
    )


def searched_document(searched: Searched) -> FlatRecord:
    """What was searched as a record."""
    return flat(searched, key="game")


def searched_of(fields: Fields) -> Searched:
    """What stored fields say. Raises as `fields` says."""
    return Searched(text(fields, "_id"), text(fields, "variant"), instant(fields, "at"))
