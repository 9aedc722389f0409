"""The notes of imported games in the SQLite file."""

import sqlite3
from collections.abc import Mapping, Sequence
from functools import partial
from operator import itemgetter

import orjson

from server.storage.damage import Damage
from server.storage.fields import Fields
from server.storage.protocols.imports import MAX_PLIES, Allowance, ImportNote, import_note_of
from server.storage.record_kinds import IMPORTS
from server.storage.sqlite.file import SqliteFile


class SqliteImports:
    """An `ImportStore`."""

    def __init__(self, file: SqliteFile, damage: Damage) -> None:
        self._file = file
        self._damage = damage

    async def note(self, notes: Sequence[ImportNote]) -> None:
        await self._file.write(partial(_insert, notes=notes))

    async def admit(self, note: ImportNote, allowance: Allowance) -> bool:
        admitted = []
        await self._file.write(lambda connection: admitted.append(_admit(connection, note, allowance)))
        return admitted[-1]

    async def plies_of_user(self, user: str, since: int) -> int:
        return await self._file.read(partial(_sum, column="user", value=user, since=since))

    async def plies_of_place(self, place: str, since: int) -> int:
        return await self._file.read(partial(_sum, column="place", value=place, since=since))

    async def of_games(self, games: Sequence[str]) -> Mapping[str, ImportNote]:
        found = await self._file.read(partial(_select, games=games))
        notes = self._damage.readable(IMPORTS.name, found, import_note_of, key=itemgetter("game"))
        return {one.game: one for one in notes}


def _insert(connection: sqlite3.Connection, notes: Sequence[ImportNote]) -> None:
    rows = [(one.game, one.at, one.plies, one.user, one.place) for one in notes]
    connection.executemany("INSERT OR IGNORE INTO imports (game, at, plies, user, place) VALUES (?, ?, ?, ?, ?)", rows)


def _admit(connection: sqlite3.Connection, note: ImportNote, allowance: Allowance) -> bool:
    if connection.execute("SELECT 1 FROM imports WHERE game = ?", (note.game,)).fetchone() is not None:
        return True
    by_user = _sum(connection, "user", note.user, allowance.since)
    by_place = _sum(connection, "place", note.place, allowance.since)
    if by_user + note.plies > allowance.by_user or by_place + note.plies > allowance.by_place:
        return False
    _insert(connection, [note])
    return True


def _sum(connection: sqlite3.Connection, column: str, value: str, since: int) -> int:
    asked = f"SELECT total(plies) FROM imports WHERE {column} = ? AND at >= ? AND plies BETWEEN 0 AND ?"
    (plies,) = connection.execute(asked, (value, since, MAX_PLIES)).fetchone()
    return int(plies)


def _select(connection: sqlite3.Connection, games: Sequence[str]) -> Sequence[Fields]:
    asked = orjson.dumps(list(games)).decode()
    names = tuple(IMPORTS.fields)
    rows = connection.execute(
        f"SELECT {', '.join(names)} FROM imports WHERE game IN (SELECT value FROM json_each(?))", (asked,)
    )
    return [dict(zip(names, row, strict=True)) for row in rows]
