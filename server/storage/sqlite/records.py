"""Everything in the SQLite file as engine-independent records. Tables and columns are named like kinds and fields."""

import sqlite3
from collections.abc import AsyncIterator, Sequence, Set
from functools import partial

import orjson

from server.storage.damage import WRONG, reason
from server.storage.documents import Document
from server.storage.errors import Duplicate, Unreadable
from server.storage.protocols.archive import Entry
from server.storage.record_kinds import ARCHIVE, AT_ONCE, GAMES, KINDS, USERS, Record, RecordKind, UnreadableRecord
from server.storage.sqlite.archive import insert_entry
from server.storage.sqlite.file import SqliteFile
from server.storage.sqlite.rows import insert_game, select_game

TABLES = (*KINDS, GAMES, "moves", "archive", "uncounted")


class SqliteRecords:
    """A `RecordStore`."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def records(self, kind: RecordKind) -> AsyncIterator[Sequence[Record | UnreadableRecord]]:
        # Chat lines are told apart by their order.
        order = kind.key or ("number",)
        after: Sequence[int | str] = ()
        while rows := await self._file.read(partial(_page, kind=kind, order=order, after=after)):
            yield [dict(zip(kind.fields, row[len(order) :], strict=True)) for row in rows]
            after = rows[-1][: len(order)]

    async def games(self) -> AsyncIterator[Sequence[Document | UnreadableRecord]]:
        after = ""
        while ids := await self._file.read(partial(_page_of_games, after=after)):
            yield await self._file.read(partial(_select_games, ids=ids))
            after = ids[-1]

    async def known(self, kind: str, keys: Set[str]) -> set[str]:
        return await self._file.read(partial(_select_known, kind=kind, keys=keys)) if keys else set()

    async def add(self, kind: RecordKind, records: Sequence[Record]) -> None:
        await self._file.write(partial(_insert, kind=kind, records=records))

    async def add_games(self, games: Sequence[tuple[Document, Entry | None]]) -> None:
        def write(connection: sqlite3.Connection) -> None:
            for document, entry in games:
                insert_game(connection, document.head, document.moves)
                if entry is not None:
                    insert_entry(connection, entry)

        await self._file.write(write)

    async def clear(self) -> None:
        await self._file.write(_delete_all)


def _page(
    connection: sqlite3.Connection, kind: RecordKind, order: Sequence[str], after: Sequence[int | str]
) -> Sequence[Sequence[int | str]]:
    key = ", ".join(order)
    where = f"WHERE ({key}) > ({', '.join('?' for _ in order)})" if after else ""
    rows = connection.execute(
        f"SELECT {key}, {', '.join(kind.fields)} FROM {kind.name} {where} ORDER BY {key} LIMIT ?", (*after, AT_ONCE)
    )
    return rows.fetchall()


def _page_of_games(connection: sqlite3.Connection, after: str) -> Sequence[str]:
    ids = connection.execute("SELECT id FROM games WHERE id > ? ORDER BY id LIMIT ?", (after, AT_ONCE))
    return [game_id for (game_id,) in ids]


def _select_games(connection: sqlite3.Connection, ids: Sequence[str]) -> Sequence[Document | UnreadableRecord]:
    found = (_select_game(connection, game_id) for game_id in ids)
    return [one for one in found if one is not None]


def _select_game(connection: sqlite3.Connection, game_id: str) -> Document | UnreadableRecord | None:
    try:
        return select_game(connection, game_id)
    except (*WRONG, Unreadable) as error:
        return UnreadableRecord(game_id, reason(error))


def _select_known(connection: sqlite3.Connection, kind: str, keys: Set[str]) -> set[str]:
    table = GAMES if kind == GAMES else ARCHIVE.name if kind == ARCHIVE.name else KINDS[kind].name
    key = "id" if table in (GAMES, USERS.name) else "key" if table == ARCHIVE.name else KINDS[kind].key[0]
    asked = orjson.dumps(sorted(keys)).decode()
    rows = connection.execute(f"SELECT {key} FROM {table} WHERE {key} IN (SELECT value FROM json_each(?))", (asked,))
    return {found for (found,) in rows}


def _insert(connection: sqlite3.Connection, kind: RecordKind, records: Sequence[Record]) -> None:
    places = ", ".join("?" for _ in kind.fields)
    try:
        connection.executemany(
            f"INSERT INTO {kind.name} ({', '.join(kind.fields)}) VALUES ({places})",
            [tuple(record[name] for name in kind.fields) for record in records],
        )
    except sqlite3.IntegrityError as error:
        raise Duplicate(f"Two of {kind.name} are the same.") from error


def _delete_all(connection: sqlite3.Connection) -> None:
    for table in TABLES:
        connection.execute(f"DELETE FROM {table}")
