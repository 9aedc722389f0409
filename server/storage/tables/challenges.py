"""Challenges by name in a store: which games wait for whom.

The game itself says whom it challenges; the note lets them find it. It is written before the game, so that no crash
hides one. A note that no longer applies is removed by whoever comes across it, or when it expires.
"""

from collections.abc import Sequence
from typing import Final

from server.storage.fields import Fields, instant, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import TableStore

MAX_PER_PLAYER = 20
"""Challenges that one player is shown."""


def _game_of(note: Fields) -> str:
    return text(note, "_id")


CHALLENGES: Final = RecordKind(
    "challenges", typed_fields("game player #at"), indexes=("player at-",), read=lambda note: instant(note, "at")
)


class ChallengeStore(TableStore):
    """Notes of games, by their ids."""

    kinds = (CHALLENGES,)

    async def note(self, game_id: str, player_id: str, at: int) -> None:
        """Notes that the game waits for this player since `at` (ms). Repeating it changes nothing."""
        await self._table.add_if_new({"_id": game_id, "player": player_id, "at": at})

    async def pass_on(self, game_id: str, player_id: str, at: int) -> None:
        """Notes that the game waits for this player since `at` (ms), and for nobody else any more."""
        await self._table.put({"_id": game_id, "player": player_id, "at": at})

    async def of(self, player_id: str) -> Sequence[str]:
        """Ids of the games that wait for them, newest first, at most MAX_PER_PLAYER."""
        return await self._table.read(_game_of, "at-", MAX_PER_PLAYER, player=player_id)

    async def waiting(self) -> Sequence[str]:
        """Ids of all games that wait for somebody, in no order."""
        return await self._table.read(_game_of)

    async def drop(self, game_id: str) -> None:
        """Removes the note of that game."""
        await self._table.delete(_id=game_id)

    async def expire(self, before: int) -> None:
        """Removes notes from before that instant (ms)."""
        await self._table.delete(at=range(before))
