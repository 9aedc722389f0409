"""The games that the lobby has made and that may still be called off, with the seeks that each has answered: they can
be put back then.

In the memory of the process that has paired, for so many games at most: whoever waits in vain just then while that
process ends reads that nobody came, and looks for somebody else themselves. Knows no store and no pages.
"""

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from server.games.seek import Seek
from server.realtime.process.ids import new_id

MAX_GAMES: Final = 10_000
"""The newest: older ones have long begun."""


class UnstartedGames:
    """By the game's id."""

    __slots__ = ("_seeks",)

    def __init__(self) -> None:
        self._seeks: OrderedDict[str, tuple[Seek, ...]] = OrderedDict()

    def __contains__(self, game: str) -> bool:
        return game in self._seeks

    def note(self, game: str, seeks: Iterable[Seek]) -> None:
        """`game` is what `seeks` have come to. Nobody sits at the board of one by days until it is called off."""
        self._seeks[game] = tuple(seek for seek in seeks if not seek.waits_for_days)
        if len(self._seeks) > MAX_GAMES:
            self._seeks.popitem(last=False)

    def put_back(self, game: str, player: str) -> Seek | None:
        """What `player` sought before `game`, under a new id and as old as it was; None if that is not known here.

        Once only. A seek's id is never used again (`storage.mongo.seeks`), nor is that of its game.
        """
        seek = next((one for one in self._seeks.get(game, ()) if one.maker.player.id == player), None)
        if seek is None:
            return None
        del self._seeks[game]
        fresh = new_id()
        return replace(seek, id=fresh, game=fresh)
