"""The geometry of a board.

A square is a number: rank * files + file, both from 0 at White's left corner (a1 = 0).
"""

from dataclasses import dataclass
from functools import lru_cache

FILE_LETTERS = "abcdefghijklmnop"
MAX_FILES = len(FILE_LETTERS)
MAX_RANKS = 16


@dataclass(frozen=True, slots=True)
class Geometry:
    """A board of `files` by `ranks` squares."""

    files: int
    ranks: int

    @property
    def size(self) -> int:
        return self.files * self.ranks

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all squares, by number."""
        return _names(self.files, self.ranks)

    def file(self, square: int) -> int:
        """From 0, the a-file."""
        return square % self.files

    def rank(self, square: int) -> int:
        """From 0, White's first."""
        return square // self.files

    def rank_for(self, square: int, side: int) -> int:
        """The rank from 1, as seen by `side` (0 is White, 1 is Black)."""
        rank = square // self.files
        return self.ranks - rank if side else rank + 1

    def square(self, file: int, rank: int) -> int:
        """The number of a square, from 0 (a1), rank by rank."""
        return rank * self.files + file

    def parse(self, name: str) -> int | None:
        """The square with that name ("a1", "j10"), or None."""
        return _numbers(self.files, self.ranks).get(name)

    def shifted(self, square: int, step: tuple[int, int]) -> int | None:
        """The square (dx, dy) away, or None if that is off the board."""
        file = square % self.files + step[0]
        rank = square // self.files + step[1]
        if 0 <= file < self.files and 0 <= rank < self.ranks:
            return rank * self.files + file
        return None

    def is_dark(self, square: int) -> bool:
        """Has the square the colour of a1?"""
        return (square % self.files + square // self.files) % 2 == 0


@lru_cache(maxsize=32)
def _names(files: int, ranks: int) -> tuple[str, ...]:
    return tuple(f"{FILE_LETTERS[file]}{rank + 1}" for rank in range(ranks) for file in range(files))


@lru_cache(maxsize=32)
def _numbers(files: int, ranks: int) -> dict[str, int]:
    return {name: square for square, name in enumerate(_names(files, ranks))}
