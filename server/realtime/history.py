"""The numbered events of one round, for clients that come back. Knows texts and numbers, not what they say.

Numbers are dense within one epoch. An epoch is the life of one Round in one process's memory, and its name is
random: after a restart, an eviction or on another node the same number can mean another event, so a client that
comes with a foreign epoch always gets a snapshot and never a false "nothing is missing".
"""

import secrets
from typing import Final

MAX_EVENTS: Final = 256
MAX_CHARACTERS: Final = 8 * 1024
"""About thirty-five moves: a game stays small in memory, and who missed more is served as well by a snapshot."""


Texts = tuple[str, str]
"""One event as players and as watchers read it; the same object twice where both read the same."""


class History:
    """The latest events. `v` is the number of the last one, 0 before there is any."""

    __slots__ = ("_events", "_size", "epoch", "v")

    def __init__(self) -> None:
        self.epoch = secrets.token_hex(4)
        self.v = 0
        self._events: list[Texts] = []
        self._size = 0

    def append(self, texts: Texts) -> None:
        """Keep the event number `v` + 1; the oldest ones make room."""
        self.v += 1
        self._events.append(texts)
        self._size += len(texts[0])
        while len(self._events) > MAX_EVENTS or self._size > MAX_CHARACTERS:
            self._size -= len(self._events.pop(0)[0])

    def skip(self) -> None:
        """Event number `v` + 1 cannot be told: everybody who has not got a snapshot of it needs one."""
        self.v += 1
        self._events.clear()
        self._size = 0

    def since(self, epoch: str, v: int) -> list[Texts] | None:
        """The events after number `v` of `epoch`, oldest first; None if they are not all here."""
        missing = self.v - v
        if epoch != self.epoch or v < 0 or not 0 <= missing <= len(self._events):
            return None
        return self._events[len(self._events) - missing :]
