"""Reads one table of a variant file key by key, checking types and refusing unknown keys."""

from collections.abc import Mapping
from typing import Any

from server.rules.errors import InvalidVariant
from server.rules.variant.board import FILE_LETTERS, Geometry


class TableReader:
    """A table of a file; every key must be read, with its type. All methods raise InvalidVariant."""

    def __init__(self, file: str, path: str, table: Any) -> None:
        if not isinstance(table, Mapping):
            raise InvalidVariant(file, path, "must be a table")
        self.file = file
        self.path = path
        self.rest = dict(table)

    def refuse(self, key: str, reason: str) -> InvalidVariant:
        """The error to raise for `key`: it names the file and the whole path."""
        return InvalidVariant(self.file, f"{self.path}.{key}" if self.path else key, reason)

    def table(self, key: str) -> "TableReader | None":
        """The table in that place; None if there is none, or the file has `false` there."""
        value = self.rest.pop(key, False)
        path = f"{self.path}.{key}" if self.path else key
        return None if value is False else TableReader(self.file, path, value)

    def _take(self, key: str, default: Any) -> Any:
        if default is None and key not in self.rest:
            raise self.refuse(key, "is missing")
        return self.rest.pop(key, default)

    def text(self, key: str, default: str | None = None) -> str:
        """The text of `key`; without a default it must be there and not be blank. Raises InvalidVariant."""
        value = self._take(key, default)
        if not isinstance(value, str) or (default is None and not value.strip()):
            raise self.refuse(key, "must be a text")
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        """Whether `key` is true. Raises InvalidVariant."""
        value = self.rest.pop(key, default)
        if not isinstance(value, bool):
            raise self.refuse(key, "must be true or false")
        return value

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """From `low` to `high`, both included."""
        value = self._take(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self.refuse(key, f"must be a whole number from {low} to {high}")
        return value

    def decimal(self, key: str, low: float, high: float, default: float) -> float:
        """From `low` to `high`, both included."""
        value = self.rest.pop(key, default)
        if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
            raise self.refuse(key, f"must be a number from {low} to {high}")
        return value

    def texts(self, key: str, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """The list of texts of `key`; without a default it must be there. Raises InvalidVariant."""
        value = self._take(key, default)
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
            raise self.refuse(key, "must be a list of texts")
        return tuple(value)

    def ranks(self, key: str, ranks: int, default: tuple[int, ...] | None = None) -> frozenset[int]:
        """Ranks from 1 to `ranks`, as White counts them."""
        value = self._take(key, default)
        good = isinstance(value, list | tuple) and all(type(one) is int and 1 <= one <= ranks for one in value)
        if not good:
            raise self.refuse(key, f"must be a list of ranks from 1 to {ranks}")
        return frozenset(value)

    def board_file(self, key: str, geometry: Geometry) -> int:
        """The file of that letter, from 0."""
        return self._file_number(key, self.text(key), geometry)

    def file_pair(self, key: str, geometry: Geometry) -> tuple[int, int]:
        """Two files by their letters, from 0."""
        letters = self.texts(key)
        if len(letters) != 2:
            raise self.refuse(key, "must be two files")
        return self._file_number(key, letters[0], geometry), self._file_number(key, letters[1], geometry)

    def _file_number(self, key: str, letter: str, geometry: Geometry) -> int:
        if len(letter) != 1 or letter not in FILE_LETTERS[: geometry.files]:
            raise self.refuse(key, f"{letter!r} is not a file of the board")
        return FILE_LETTERS.index(letter)

    def done(self) -> None:
        """Refuses the first key that nobody has taken."""
        for key in self.rest:
            raise self.refuse(key, "unknown key")
