"""A whole game as each kind of reader gets it, encoded once however many ask. Knows no outboxes.

To encode a game of a thousand moves takes a millisecond, and anybody may ask for it on many lines at once. Nothing but
the clocks differs from one time to the next while the game stands still, so only they are written anew.
"""

from collections.abc import Callable

from server.games.game import Game
from server.realtime.protocol.codec import encode, with_field
from server.realtime.protocol.outbound import Clocks, Snapshot
from server.rules.variant.pieces import Color

Reader = tuple[Color | None, bool]
"""The color that somebody plays, if any, and whether they are invited to play."""


class SnapshotCache:
    """The texts of one game as it stands, without its clocks."""

    __slots__ = ("_game", "_texts", "_v")

    def __init__(self) -> None:
        self._game: Game | None = None
        self._v = 0
        self._texts: dict[Reader, str] = {}

    def read(self, game: Game, v: int, reader: Reader, make: Callable[[], Snapshot], clocks: Clocks) -> str:
        """What `make` gives, with `clocks` in it. It is called once for each `reader`, `game` and last event `v`."""
        if game is not self._game or v != self._v:
            self._game, self._v, self._texts = game, v, {}
        text = self._texts.get(reader)
        if text is None:
            text = self._texts[reader] = encode(make(), leave_out="clock")
        return with_field(text, "clock", clocks.model_dump(exclude_none=True))

    def forget(self) -> None:
        """Keep nothing: the game has gone on, and perhaps nobody will ask."""
        self._game = None
        self._texts.clear()
