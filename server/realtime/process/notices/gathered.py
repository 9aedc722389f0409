"""Notices that every process hears, so that they are gathered: where players are, and that the seeks have changed.

The first is sent at once, what comes within a moment after it together. Of each seat only the newest matters.
"""

import asyncio
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

from server.realtime.process.bus import PresenceChanged, SeeksChanged
from server.realtime.process.notices.codec import written, written_together
from server.rules.variant.pieces import Color

GATHER_S: Final = 0.1
TOGETHER: Final = 500
"""Seats in one message: whoever reads it takes half a millisecond."""
MOST: Final = 100_000
"""Seats that wait while nothing can be sent. Where players are is repeated anyway."""


class Gathered:
    """What waits to be sent. `some` is set while anything does."""

    def __init__(self) -> None:
        self._seats: dict[tuple[str, Color], PresenceChanged] = {}
        self._seeks = False
        self.some = asyncio.Event()

    def add(self, notice: PresenceChanged | SeeksChanged) -> None:
        """Keeps a notice until the next message; an older one of the same seat is replaced."""
        match notice:
            case SeeksChanged():
                self._seeks = True
            case PresenceChanged(game, color) if len(self._seats) < MOST or (game, color) in self._seats:
                self._seats[game, color] = notice
        self.some.set()

    def messages(self) -> Iterator[Mapping[str, Any]]:
        """The fields of all messages to send now. Each counts as sent when the next one is asked for."""
        while self._seats:
            part = dict(islice(self._seats.items(), TOGETHER))
            yield written_together(part.values())
            for seat, seen in part.items():
                if self._seats[seat] is seen:
                    del self._seats[seat]
        if self._seeks:
            # Whatever changes while this is on its way is told again.
            self._seeks = False
            try:
                yield written(SeeksChanged())[1]
            except GeneratorExit:
                self._seeks = True
                raise
        self.some.clear()
