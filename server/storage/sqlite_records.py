"""Everything in the SQLite file as records of no engine. Tables and columns are named as kinds and fields are."""

import sqlite3
from collections.abc import AsyncIterator, Sequence
from functools import partial

from server.storage.archive import Entry
from server.storage.documents import Document
from server.storage.errors import Duplicate
from server.storage.kinds import AT_ONCE, GAMES, KINDS, Kind, Record
from server.storage.sqlite_archive import insert_entry
from server.storage.sqlite_file import SqliteFile
from server.storage.sqlite_rows import insert_game, select_game

TABLES = (*KINDS, GAMES, "moves", "archive", "uncounted")


class SqliteRecords:
    """A `RecordStore`."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def records(self, kind: Kind) -> AsyncIterator[Sequence[Record]]:
        # Lines of chat are told apart by the order in which they came.
        order = kind.key or ("number",)
        after: Sequence[int | str] = ()
        while rows := await self._file.read(partial(_page, kind=kind, order=order, after=after)):
            yield [dict(zip(kind.fields, row[len(order) :], strict=True)) for row in rows]
            after = rows[-1][: len(order)]

    async def games(self) -> AsyncIterator[Sequence[Document]]:
        after = ""
        while found := await self._file.read(partial(_page_of_games, after=after)):
            yield found
            after = str(found[-1].head["_id"])

    async def add(self, kind: Kind, records: Sequence[Record]) -> None:
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
    connection: sqlite3.Connection, kind: Kind, order: Sequence[str], after: Sequence[int | str]
) -> Sequence[Sequence[int | str]]:
    key = ", ".join(order)
    where = f"WHERE ({key}) > ({', '.join('?' for _ in order)})" if after else ""
    rows = connection.execute(
        f"SELECT {key}, {', '.join(kind.fields)} FROM {kind.name} {where} ORDER BY {key} LIMIT ?", (*after, AT_ONCE)
    )
    return rows.fetchall()


def _page_of_games(connection: sqlite3.Connection, after: str) -> Sequence[Document]:
    ids = connection.execute("SELECT id FROM games WHERE id > ? ORDER BY id LIMIT ?", (after, AT_ONCE)).fetchall()
    documents = (select_game(connection, game_id) for (game_id,) in ids)
    return [document for document in documents if document is not None]


def _insert(connection: sqlite3.Connection, kind: Kind, records: Sequence[Record]) -> None:
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
