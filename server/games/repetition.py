"""The repetition keys of all positions of a game, the first included.

It grows like an `AppendOnlySequence` and packs the keys into one byte array: as objects they took four times the
memory, for every half-move of every game in play.
"""

from collections.abc import Iterable, Sequence

from server.rules.movegen.position import KEY_BYTES


class RepetitionHistory:
    """Equal to another one with equal keys. Each key has KEY_BYTES bytes."""

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
