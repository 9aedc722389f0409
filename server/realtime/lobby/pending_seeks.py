"""The seeks that are just being asked for: neither paired nor stored yet. Knows no store and no pages.

They count where there is a limit, and their maker may find a game by another seek before they stand.
"""

from collections.abc import Iterator
from typing import Final

from server.games.errors import NotAllowed
from server.games.player import Player
from server.games.seek import MOST_SEEKS, Seek, asks_the_same, is_answered, is_of
from server.realtime.lobby.open_seeks import OpenSeeks

MOST_OPEN: Final = 500
"""The list of all is one message, which has to fit into a page's outbox."""


class PendingSeeks:
    """By id; with the game of those that need no opponent any more."""

    __slots__ = ("_by_id", "_games")

    def __init__(self) -> None:
        self._by_id: dict[str, Seek] = {}
        self._games: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._by_id)

    def __iter__(self) -> Iterator[Seek]:
        return iter(tuple(self._by_id.values()))

    def add(self, seek: Seek) -> None:
        self._by_id[seek.id] = seek

    def game_of(self, seek_id: str) -> str | None:
        """The game that its maker has found meanwhile."""
        return self._games.get(seek_id)

    def remove(self, seek_id: str) -> None:
        del self._by_id[seek_id]
        self._games.pop(seek_id, None)

    def answer(self, taken: Seek, taker: Player) -> None:
        """`taker` has taken `taken`: whichever asked for the same needs no opponent any more."""
        for seek in self:
            if is_answered(seek, taken, taker):
                self._games[seek.id] = taken.game

    def all_of(self, player: Player, standing: OpenSeeks) -> list[Seek]:
        """What stands of them, and what they are just asking for."""
        return [seek for seek in (*standing, *self) if is_of(seek, player)]

    def check_new(self, wanted: Seek, standing: OpenSeeks) -> None:
        """Nobody asks twice for one game. Raises NotAllowed."""
        if any(asks_the_same(seek, wanted) for seek in self.all_of(wanted.maker.player, standing)):
            raise NotAllowed("seek_repeated")

    def check_room(self, player: Player, standing: OpenSeeks) -> None:
        """For one more of theirs, which is among these already. Raises NotAllowed."""
        if len(self.all_of(player, standing)) > MOST_SEEKS:
            raise NotAllowed("too_many_seeks")
        if len(standing) + len(self) > MOST_OPEN:
            raise NotAllowed("lobby_full")
