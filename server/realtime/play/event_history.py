"""The numbered events of one round, for clients that come back. Knows texts and numbers, not what they say.

Numbers are dense within one epoch. An epoch is the life of one Round in one process's memory, and its name is
random: after a restart, an eviction or in another process the same number can mean another event, so a client that
comes with a foreign epoch always gets a snapshot and never a false "nothing is missing".
"""

import secrets
from typing import Final

MAX_EVENTS: Final = 48
"""Fewer than may wait for a client, so that what it missed never cuts it off."""
MAX_CHARACTERS: Final = 3 * 1024
"""About thirteen moves: a game stays small in memory, and more than that is longer than the whole game at once."""

EncodedEvent = str | tuple[str, str]
"""As everybody reads it, or as players and as watchers do."""


class EventHistory:
    """The latest events. `v` is the number of the last one, 0 before there is any."""

    __slots__ = ("_events", "_size", "epoch", "v")

    def __init__(self) -> None:
        self.epoch = secrets.token_hex(4)
        self.v = 0
        self._events: list[EncodedEvent] = []
        self._size = 0

    def append(self, players: str, watchers: str) -> None:
        """Keep the event number `v` + 1 as either may read it; the oldest ones make room."""
        self.v += 1
        event = players if players == watchers else (players, watchers)
        self._events.append(event)
        self._size += _size(event)
        while len(self._events) > MAX_EVENTS or self._size > MAX_CHARACTERS:
            self._size -= _size(self._events.pop(0))

    def skip(self) -> None:
        """Event number `v` + 1 cannot be told: everybody who has not got a snapshot of it needs one."""
        self.v += 1
        self._events.clear()
        self._size = 0

    def since(self, epoch: str, v: int, watching: bool) -> list[str] | None:
        """The events after number `v` of `epoch`, oldest first, as a player or as who is `watching` reads them.

        None if they are not all here.
        """
        missing = self.v - v
        if epoch != self.epoch or v < 0 or not 0 <= missing <= len(self._events):
            return None
        return [_read(event, watching) for event in self._events[len(self._events) - missing :]]


def _read(event: EncodedEvent, watching: bool) -> str:
    return event if isinstance(event, str) else event[watching]


def _size(event: EncodedEvent) -> int:
    return len(event) if isinstance(event, str) else len(event[0]) + len(event[1])
