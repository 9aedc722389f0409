"""Deleting games in the SQLite file."""

import sqlite3
from collections.abc import Generator, Sequence
from functools import partial

from server.storage.damage import WRONG
from server.storage.documents import Head
from server.storage.fields import number
from server.storage.protocols.archive import key_at
from server.storage.sqlite.file import SqliteFile
from server.storage.sqlite.rows import head_of, json_list
from server.storage.time_slices import run_sliced

OF_GAMES = (
    *(("moves", "game"), ("chat", "game"), ("uncounted", "game"), ("challenges", "game"), ("imports", "game")),
    *(("untold", "game"), ("unexplored", "game"), ("outbox", "topic"), ("held", "game"), ("games", "id")),
)


class SqliteDeletion:
    """A `DeletionStore`."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def heads(self, after: str, limit: int) -> Sequence[tuple[str, Head]]:
        query = "SELECT id, head FROM games WHERE id > ? ORDER BY id LIMIT ?"
        return await run_sliced(_reading(await self._file.rows(query, (after, limit))))

    async def delete_games(self, games: Sequence[str]) -> None:
        await self._file.write(partial(_delete_games, games=games))

    async def delete_chat(self, games: Sequence[str]) -> None:
        await self._file.write(partial(_delete, table="chat", key="game", values=games))


def _reading(rows: Sequence[tuple[str, bytes]]) -> Generator[None, None, Sequence[tuple[str, Head]]]:
    heads = []
    for game, head in rows:
        heads.append((game, _readable(game, head)))
        yield
    return heads


def _readable(game_id: str, stored: bytes) -> Head:
    try:
        return head_of(game_id, stored)
    except WRONG:
        return {}


def _delete_games(connection: sqlite3.Connection, games: Sequence[str]) -> None:
    query = "SELECT id, head FROM games WHERE id IN (SELECT value FROM json_each(?))"
    found = connection.execute(query, (json_list(games),))
    listed = [key for game, head in found.fetchall() if (key := _archive_key(game, _readable(game, head)))]
    _delete(connection, table="archive", key="key", values=listed)
    for table, key in OF_GAMES:
        _delete(connection, table=table, key=key, values=games)


def _archive_key(game: str, head: Head) -> str:
    """The game's key in the archive; "" if unknown."""
    try:
        return key_at(number(head, "ended"), game)
    except WRONG:
        return ""


def _delete(connection: sqlite3.Connection, table: str, key: str, values: Sequence[str]) -> None:
    connection.execute(f"DELETE FROM {table} WHERE {key} IN (SELECT value FROM json_each(?))", (json_list(values),))
