"""Everything in the SQLite file as engine-independent records, and deleting games.

Tables and columns are named like kinds and fields.
"""

import sqlite3
from collections.abc import AsyncIterator, Generator, Sequence, Set
from functools import partial

from server.storage.damage import WRONG, reason
from server.storage.documents import Document, Head
from server.storage.errors import Unreadable
from server.storage.fields import FlatRecord, number
from server.storage.protocols.archive import ArchiveEntry, key_at
from server.storage.protocols.explorer import is_unexplored
from server.storage.protocols.records import AT_ONCE, UnreadableRecord
from server.storage.record_kinds import ARCHIVE, GAMES, USERS, RecordKind
from server.storage.sqlite.archive import insert_entry
from server.storage.sqlite.explorer import insert_unexplored
from server.storage.sqlite.file import SqliteFile
from server.storage.sqlite.rows import head_of, insert, insert_game, json_list, select_game
from server.storage.tables.stores import KINDS
from server.storage.time_slices import run_sliced

TABLES = (*KINDS, GAMES, "moves", "archive", "uncounted", "untold", "explorer", "unexplored")


class SqliteRecords:
    """A `RecordStore`."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def records(self, kind: RecordKind) -> AsyncIterator[Sequence[FlatRecord | UnreadableRecord]]:
        # Chat lines are told apart by their order.
        order = kind.key or ("number",)
        key, columns = ", ".join(order), ", ".join((*order, *kind.fields))
        where, after = "", ()
        while rows := await self._file.rows(
            f"SELECT {columns} FROM {kind.name} {where} ORDER BY {key} LIMIT ?", (*after, AT_ONCE)
        ):
            yield [dict(zip(kind.fields, row[len(order) :], strict=True)) for row in rows]
            where, after = f"WHERE ({key}) > ({', '.join('?' for _ in order)})", rows[-1][: len(order)]

    async def games(self) -> AsyncIterator[Sequence[Document | UnreadableRecord]]:
        after = ""
        while ids := await self._file.rows("SELECT id FROM games WHERE id > ? ORDER BY id LIMIT ?", (after, AT_ONCE)):
            yield await self._file.read(partial(_select_games, ids=[game_id for (game_id,) in ids]))
            (after,) = ids[-1]

    async def known(self, kind: str, keys: Set[str]) -> set[str]:
        key = "id" if kind in (GAMES, USERS.name) else "key" if kind == ARCHIVE.name else KINDS[kind].key[0]
        query = f"SELECT {key} FROM {kind} WHERE {key} IN (SELECT value FROM json_each(?))"
        return {found for (found,) in await self._file.rows(query, (json_list(keys),))} if keys else set()

    async def add(self, kind: RecordKind, records: Sequence[FlatRecord]) -> None:
        await self._file.write(partial(_insert, kind=kind, records=records))

    async def add_games(self, games: Sequence[tuple[Document, ArchiveEntry | None]]) -> None:
        await self._file.write(partial(insert_games, games=games))

    async def clear(self) -> None:
        await self._file.write(_delete_all)


def insert_games(connection: sqlite3.Connection, games: Sequence[tuple[Document, ArchiveEntry | None]]) -> None:
    """Inserts new games and their archive entries. Raises Duplicate."""
    for document, entry in games:
        insert_game(connection, document.head, document.moves)
        if entry is not None:
            insert_entry(connection, entry)
        if is_unexplored(document.head):
            insert_unexplored(connection, str(document.head["_id"]))


def _select_games(connection: sqlite3.Connection, ids: Sequence[str]) -> Sequence[Document | UnreadableRecord]:
    found = (_select_game(connection, game_id) for game_id in ids)
    return [one for one in found if one is not None]


def _select_game(connection: sqlite3.Connection, game_id: str) -> Document | UnreadableRecord | None:
    try:
        return select_game(connection, game_id)
    except (*WRONG, Unreadable) as error:
        return UnreadableRecord(game_id, reason(error))


def _insert(connection: sqlite3.Connection, kind: RecordKind, records: Sequence[FlatRecord]) -> None:
    for record in records:
        insert(connection, kind.name, {name: record[name] for name in kind.fields})


def _delete_all(connection: sqlite3.Connection) -> None:
    for table in TABLES:
        connection.execute(f"DELETE FROM {table}")


OF_GAMES = (
    *(("moves", "game"), ("chat", "game"), ("uncounted", "game"), ("challenges", "game"), ("imports", "game")),
    ("notes", "game"),
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
