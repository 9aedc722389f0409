"""Challenges by name in the SQLite file."""

from collections.abc import Sequence

from server.storage.protocols.challenges import MAX_PER_PLAYER
from server.storage.sqlite.file import SqliteFile


class SqliteChallenges:
    """A `ChallengeStore`."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def note(self, game_id: str, player_id: str, at: int) -> None:
        values = (game_id, player_id, at)
        await self._file.change("INSERT OR IGNORE INTO challenges (game, player, at) VALUES (?, ?, ?)", values)

    async def pass_on(self, game_id: str, player_id: str, at: int) -> None:
        values = (game_id, player_id, at)
        await self._file.change("INSERT OR REPLACE INTO challenges (game, player, at) VALUES (?, ?, ?)", values)

    async def of(self, player_id: str) -> Sequence[str]:
        newest = "SELECT game FROM challenges WHERE player = ? ORDER BY at DESC LIMIT ?"
        return [game for (game,) in await self._file.rows(newest, (player_id, MAX_PER_PLAYER))]

    async def waiting(self) -> Sequence[str]:
        return [game for (game,) in await self._file.rows("SELECT game FROM challenges", ())]

    async def drop(self, game_id: str) -> None:
        await self._file.change("DELETE FROM challenges WHERE game = ?", (game_id,))

    async def expire(self, before: int) -> None:
        await self._file.change("DELETE FROM challenges WHERE at < ?", (before,))
