"""Somebody's running games as the store has them, read once for everybody who asks at about the same time.

A person may have many pages open, and an attacker many more. Knows no page.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from server.games.state import Game
from server.realtime.process.bounded_dict import BoundedDict
from server.realtime.process.bus import Deleted
from server.realtime.process.services import Services
from server.realtime.process.single_flight import SingleFlight
from server.storage.running import RunningGame

KEPT_MS: Final = 2_000
"""How soon a change that this process has missed makes it read the list again; one that it sees does so at once."""
MAX_KEPT: Final = 200


@dataclass(frozen=True, slots=True)
class _Kept:
    """`at`: when they were read, ms."""

    games: Sequence[RunningGame]
    at: int


class RunningGames:
    """The running games of everybody who asks this process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._kept: BoundedDict[str, _Kept] = BoundedDict(MAX_KEPT)
        self._readings: SingleFlight[Sequence[RunningGame]] = SingleFlight()

    async def of(self, player: str) -> Sequence[RunningGame]:
        """The most urgent first. The same object until there is news. Raises Unavailable."""
        kept = self._kept.get(player)
        if kept is not None and 0 <= self._services.now() - kept.at < KEPT_MS:
            return kept.games
        return await self._readings.do(player, partial(self._read, player))

    def forget(self, players: Iterable[str]) -> None:
        """Drops what is known of the games of these people: it is out of date."""
        for player in players:
            self._kept.pop(player, None)
            # Those who have asked already may get the old list; those who ask from now on do not.
            self._readings.forget(player)

    def changed(self, game: Game) -> None:
        """A game has changed: the lists of its players are out of date."""
        self.forget(player.id for player in game.players)

    def deleted(self, deleted: Deleted) -> None:
        """A game is no longer on anybody's list."""
        self.forget(deleted.players)

    async def _read(self, player: str) -> Sequence[RunningGame]:
        games = await self._services.store.running_of(player)
        if self._readings.is_current(player):
            self._kept[player] = _Kept(games, self._services.now())
        return games
