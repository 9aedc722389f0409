"""Encoded snapshots of one game for each kind of viewer, made once however many ask.

Encoding a game of a thousand moves takes a millisecond, and anybody may ask for it on many connections at once. While
the game does not change only the clocks differ, so only they are encoded again.
"""

from collections.abc import Callable

from server.games.state import Game
from server.realtime.protocol.codec import encode, with_field
from server.realtime.protocol.snapshot import Clocks, Snapshot
from server.rules.variant.pieces import Color

ViewerKind = tuple[Color | None, bool, frozenset[str]]
"""The colour that somebody plays, if any, whether they are invited, and whose chat (ids) they do not read."""


class SnapshotCache:
    """The encoded snapshots of one game, without clocks."""

    __slots__ = ("_game", "_texts", "_v")

    def __init__(self) -> None:
        self._game: Game | None = None
        self._v = 0
        self._texts: dict[ViewerKind, str] = {}

    def read(self, game: Game, v: int, viewer: ViewerKind, make: Callable[[], Snapshot], clocks: Clocks) -> str:
        """The snapshot of `make` with `clocks`. `make` is called once per `viewer`, `game` and last event `v`."""
        if game is not self._game or v != self._v:
            self._game, self._v, self._texts = game, v, {}
        text = self._texts.get(viewer)
        if text is None:
            text = self._texts[viewer] = encode(make(), leave_out="clock")
        return with_field(text, "clock", clocks.model_dump(exclude_none=True))

    def forget(self) -> None:
        """Clears the cache: the game has changed, and perhaps nobody will ask."""
        self._game = None
        self._texts.clear()
