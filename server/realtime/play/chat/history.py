"""The latest chat of one round, for pages that open it: bounded in lines and in bytes. Knows no viewer."""

from collections.abc import Sequence, Set
from itertools import accumulate
from typing import Final

from server.storage.stores import ChatLine

CHAT_LINES: Final = 50
CHAT_BYTES: Final = 32_768
"""Of UTF-8 text. Fifty of the short lines of a live game always fit, and sixteen of the longest messages in English."""
KNOWN_LINES: Final = 2 * CHAT_LINES
"""Lines that are recognised: processes may read them in another order than they are stored in."""


class ChatHistory:
    """`lines`: the latest, oldest first, as far as a page gets them."""

    __slots__ = ("_at", "_known", "lines")

    def __init__(self, stored: Sequence[ChatLine]) -> None:
        self.lines = newest(stored)
        # Hashes, as a line that is no longer shown must still be recognised.
        self._known = tuple(map(hash, stored[-KNOWN_LINES:]))
        self._at = stored[-1].at if stored else 0

    def next_at(self, now: int) -> int:
        """The time (ms) of a line written at `now`: later than any before, so that a repeated line is a new one."""
        self._at = max(now, self._at + 1)
        return self._at

    def knows(self, line: ChatLine) -> bool:
        """Has `line` been added, not long ago?"""
        return hash(line) in self._known

    def speakers(self, people: Set[str]) -> frozenset[str]:
        """Those of `people` (ids) who have said something of this."""
        return frozenset(line.player for line in self.lines if line.player in people) if people else frozenset()

    def add(self, line: ChatLine) -> None:
        """Adds a line; the oldest goes."""
        self._known = (*self._known[1 - KNOWN_LINES :], hash(line))
        self.lines = newest((*self.lines, line))


def newest(lines: Sequence[ChatLine]) -> tuple[ChatLine, ...]:
    """The last of `lines` that are CHAT_LINES at most, and CHAT_BYTES together."""
    sizes = accumulate(len(line.text.encode()) for line in reversed(lines[-CHAT_LINES:]))
    fitting = sum(size <= CHAT_BYTES for size in sizes)
    return tuple(lines[len(lines) - fitting :])
