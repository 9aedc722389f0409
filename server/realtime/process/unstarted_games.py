"""Games from the lobby that have not started yet, with their seeks, which are put back if the game is called off.

They are kept in memory, for a limited number of games, by the process that paired them. If it ends, a player who waits
in vain is told that nobody came, and has to seek again.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from server.games.seeks.seek import Seek
from server.realtime.process.bounded_dict import BoundedDict
from server.realtime.process.ids import new_id

MAX_GAMES: Final = 10_000
"""The newest ones: older games started long ago."""


class UnstartedGames:
    """By game id."""

    def __init__(self) -> None:
        self._seeks: BoundedDict[str, tuple[Seek, ...]] = BoundedDict(MAX_GAMES)

    def __contains__(self, game: str) -> bool:
        return game in self._seeks

    def note(self, game: str, seeks: Iterable[Seek]) -> None:
        """Notes that `seeks` have led to `game`; not for correspondence games, whose players need not wait."""
        self._seeks[game] = tuple(seek for seek in seeks if not seek.waits_for_days)

    def put_back(self, game: str, player: str) -> Seek | None:
        """The seek of `player` that led to `game`, with new ids and its old age; None if it is unknown here.

        Works once. Ids of seeks and of their games are never reused (`storage.mongo.seeks`).
        """
        seek = next((one for one in self._seeks.get(game, ()) if one.maker.player.id == player), None)
        if seek is None:
            return None
        del self._seeks[game]
        fresh = new_id()
        return replace(seek, id=fresh, game=fresh)
