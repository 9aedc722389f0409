"""Challenges by name in the SQLite file."""

import sqlite3
from collections.abc import Sequence
from functools import partial

from server.storage.protocols.challenges import MAX_PER_PLAYER
from server.storage.sqlite.file import SqliteFile


class SqliteChallenges:
    """A `ChallengeStore`."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def note(self, game_id: str, player_id: str, at: int) -> None:
        await self._file.write(partial(_insert, row=(game_id, player_id, at)))

    async def of(self, player_id: str) -> Sequence[str]:
        return await self._file.read(partial(_select, player_id=player_id))

    async def drop(self, game_id: str) -> None:
        await self._file.write(partial(_delete, game_id=game_id))

    async def expire(self, before: int) -> None:
        await self._file.write(partial(_expire, before=before))


def _insert(connection: sqlite3.Connection, row: tuple[str, str, int]) -> None:
    connection.execute("INSERT OR IGNORE INTO challenges (game, player, at) VALUES (?, ?, ?)", row)


def _select(connection: sqlite3.Connection, player_id: str) -> list[str]:
    asked = "SELECT game FROM challenges WHERE player = ? ORDER BY at DESC LIMIT ?"
    return [str(row[0]) for row in connection.execute(asked, (player_id, MAX_PER_PLAYER))]


def _delete(connection: sqlite3.Connection, game_id: str) -> None:
    connection.execute("DELETE FROM challenges WHERE game = ?", (game_id,))


def _expire(connection: sqlite3.Connection, before: int) -> None:
    connection.execute("DELETE FROM challenges WHERE at < ?", (before,))
