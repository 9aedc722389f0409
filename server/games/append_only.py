"""An immutable sequence to which an item can be appended without a copy.

Sequences that grew out of each other share one list, and each knows how much of it is its own. As tuples, the moves of
400 long games were copied with every move, and Python's garbage collector walked through all the copies over and over.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar, overload

Item = TypeVar("Item")


class AppendOnlySequence(Sequence[Item]):
    """Equal to another one with equal items. A slice is a tuple."""

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    def appended(self, item: Item) -> "AppendOnlySequence[Item]":
        """This sequence followed by `item`."""
        # The place may be taken by an item since forgotten: a move that could not be stored.
        items = self._items if len(self._items) == self._length else self._items[: self._length]
        items.append(item)
        longer: AppendOnlySequence[Item] = AppendOnlySequence.__new__(AppendOnlySequence)
        longer._items, longer._length = items, self._length + 1
        return longer

    def starts_with(self, other: "AppendOnlySequence[Item]") -> bool:
        """Does it begin with the items of `other`? Immediate if it grew out of `other`."""
        return (self._items is other._items and self._length >= other._length) or self[: other._length] == other[:]

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> Item: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Item, ...]: ...

    def __getitem__(self, at: int | slice) -> Item | tuple[Item, ...]:
        if isinstance(at, slice):
            items = self._items if len(self._items) == self._length else self._items[: self._length]
            return tuple(items[at])
        if not -self._length <= at < self._length:
            raise IndexError(at)
        return self._items[at if at >= 0 else at + self._length]

    def __iter__(self) -> Iterator[Item]:
        return islice(self._items, self._length)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AppendOnlySequence) and self._length == other._length and self.starts_with(other)

    def __hash__(self) -> int:
        return hash(self[:])

    def __repr__(self) -> str:
        return f"AppendOnlySequence({self[:]!r})"
