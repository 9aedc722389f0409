"""Sequences to which an item can be appended without a copy: the moves of a game, and the keys of its positions.

Sequences that grew out of each other share one list, and each knows how much of it is its own. As tuples, the moves of
400 long games were copied with every move, and Python's garbage collector walked through all the copies over and over.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar, overload

from server.rules.movegen.legal import KEY_BYTES

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


class RepetitionHistory:
    """The repetition keys of all positions of a game, the first included; equal to another one with equal keys.

    Each has KEY_BYTES bytes, and they are packed into one byte array: as objects they took four times the memory, for
    every half-move of every game in play.
    """

    __slots__ = ("_end", "_packed")

    def __init__(self, keys: Iterable[bytes]) -> None:
        self._packed = bytearray(b"".join(keys))
        self._end = len(self._packed)

    def appended(self, key: bytes) -> "RepetitionHistory":
        """This history followed by `key`."""
        # The place may be taken by a key since forgotten.
        packed = self._packed if len(self._packed) == self._end else self._packed[: self._end]
        packed += key
        longer: RepetitionHistory = RepetitionHistory.__new__(RepetitionHistory)
        longer._packed, longer._end = packed, self._end + KEY_BYTES
        return longer

    def without_last(self, count: int) -> "RepetitionHistory":
        """All but the last `count`."""
        return RepetitionHistory((bytes(self._packed[: self._end - count * KEY_BYTES]),))

    def first(self, count: int) -> Sequence[bytes]:
        """The first `count`, or all if there are fewer."""
        end = min(count * KEY_BYTES, self._end)
        return [bytes(self._packed[at : at + KEY_BYTES]) for at in range(0, end, KEY_BYTES)]

    @property
    def last(self) -> bytes:
        """The key of the last position; empty if there is none."""
        return bytes(self._packed[self._end - KEY_BYTES : self._end])

    def times_seen(self) -> int:
        """How often the last position has occurred, now included."""
        # A match across two keys is as unlikely as two positions with the same key.
        return self._packed.count(self.last, 0, self._end)

    def __len__(self) -> int:
        return self._end // KEY_BYTES

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RepetitionHistory) and self._packed[: self._end] == other._packed[: other._end]

    def __hash__(self) -> int:
        return hash(bytes(self._packed[: self._end]))

    def __repr__(self) -> str:
        return f"RepetitionHistory({self._packed[: self._end].hex(' ', KEY_BYTES)})"
