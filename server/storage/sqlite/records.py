"""Everything in the SQLite file as engine-independent records. Tables and columns are named like kinds and fields."""

import sqlite3
from collections.abc import AsyncIterator, Sequence, Set
from functools import partial

from server.storage.damage import WRONG, reason
from server.storage.documents import Document
from server.storage.errors import Unreadable
from server.storage.fields import FlatRecord
from server.storage.protocols.archive import ArchiveEntry
from server.storage.protocols.explorer import is_unexplored
from server.storage.protocols.records import AT_ONCE, UnreadableRecord
from server.storage.record_kinds import ARCHIVE, GAMES, KINDS, USERS, RecordKind
from server.storage.sqlite.archive import insert_entry
from server.storage.sqlite.explorer import insert_unexplored
from server.storage.sqlite.file import SqliteFile
from server.storage.sqlite.rows import insert, insert_game, json_list, select_game

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
