"""The numbered events of one round, for clients that reconnect.

Numbers are dense within an epoch. An epoch is the life of one Round in the memory of one process, and has a random
name: after a restart, after unloading or in another process the same number can mean another event. So a client with
another epoch always gets a snapshot.
"""

import secrets
from typing import Final

MAX_EVENTS: Final = 48
"""Fewer than an outbox holds, so that what a client missed never cuts it off."""
MAX_CHARACTERS: Final = 3 * 1024
"""About thirteen moves: this keeps games small in memory, and more would be longer than a snapshot."""

EncodedEvent = str | tuple[str, str]
"""As everybody reads it, or as players and watchers do."""


class EventHistory:
    """The latest events. `v`: the number of the last one; 0 if there is none."""

    __slots__ = ("_events", "_size", "epoch", "v")

    def __init__(self) -> None:
        self.epoch = secrets.token_hex(4)
        self.v = 0
        self._events: list[EncodedEvent] = []
        self._size = 0

    def append(self, players: str, watchers: str) -> None:
        """Adds event `v` + 1 as players and watchers read it, dropping the oldest if needed."""
        self.v += 1
        event = players if players == watchers else (players, watchers)
        self._events.append(event)
        self._size += _size(event)
        while len(self._events) > MAX_EVENTS or self._size > MAX_CHARACTERS:
            self._size -= _size(self._events.pop(0))

    def skip(self) -> None:
        """Counts event `v` + 1, which cannot be sent: everybody needs a snapshot instead."""
        self.v += 1
        self._events.clear()
        self._size = 0

    def since(self, epoch: str, v: int, watching: bool) -> list[str] | None:
        """The events after `v` of `epoch`, oldest first, as a player reads them, or a watcher if `watching`.

        None unless all of them are here.
        """
        missing = self.v - v
        if epoch != self.epoch or v < 0 or not 0 <= missing <= len(self._events):
            return None
        return [_read(event, watching) for event in self._events[len(self._events) - missing :]]


def _read(event: EncodedEvent, watching: bool) -> str:
    return event if isinstance(event, str) else event[watching]


def _size(event: EncodedEvent) -> int:
    return len(event) if isinstance(event, str) else len(event[0]) + len(event[1])
