"""Who is at the board of a game on another process, as far as that has told lately.

A round knows it of its own game. This is for the games that are not in memory here: whoever is to be told of such a
game may have its board open elsewhere.
"""

from collections.abc import Mapping

from server.realtime.process.bus import PresenceChanged
from server.realtime.process.presence import HEARSAY_MS, PresenceState
from server.rules.variant.pieces import Color


class BoardsElsewhere:
    """What is not repeated in time is forgotten, so the people of a process that died are soon gone."""

    def __init__(self) -> None:
        self._heard: dict[tuple[str, Color], int] = {}
        """When (ms) it was last said that this side's player is at the board, the oldest first."""

    def hear(self, seen: PresenceChanged, now: int) -> None:
        """Takes the word of another process, heard at `now` (ms)."""
        seat = seen.game, seen.color
        self._heard.pop(seat, None)
        if seen.state is PresenceState.HERE:
            self._heard[seat] = now
        while self._heard and _is_old(self._heard[oldest := next(iter(self._heard))], now):
            del self._heard[oldest]

    def here(self, game: str, now: int) -> Mapping[Color, int]:
        """The sides of that game whose players are at its board, and when (ms) that was last said."""
        found = {color: self._heard.get((game, color)) for color in Color}
        return {color: at for color, at in found.items() if at is not None and not _is_old(at, now)}


def _is_old(at: int, now: int) -> bool:
    return at <= now - HEARSAY_MS
