"""The notes of imported games in the SQLite file."""

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from operator import itemgetter

from server.storage.protocols.imports import MAX_PLIES, ImportAllowance, ImportNote, import_note_of
from server.storage.record_kinds import IMPORTS
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.rows import insert, json_list


class SqliteImports(SqlitePart):
    """An `ImportStore`."""

    async def note(self, notes: Sequence[ImportNote]) -> None:
        await self._file.write(partial(_insert, notes=notes))

    async def admit(self, note: ImportNote, allowance: ImportAllowance) -> bool:
        return await self._file.write(partial(_admit, note=note, allowance=allowance))

    async def plies_of_user(self, user: str, since: int) -> int:
        return await self._file.read(partial(_sum, column="user", value=user, since=since))

    async def plies_of_place(self, place: str, since: int) -> int:
        return await self._file.read(partial(_sum, column="place", value=place, since=since))

    async def of_games(self, games: Sequence[str]) -> Mapping[str, ImportNote]:
        query = "SELECT * FROM imports WHERE game IN (SELECT value FROM json_each(?))"
        found = await self._file.fields(query, (json_list(games),))
        notes = self._damage.readable(IMPORTS.name, found, import_note_of, key=itemgetter("game"))
        return {one.game: one for one in notes}


def _insert(connection: sqlite3.Connection, notes: Sequence[ImportNote]) -> None:
    for note in notes:
        insert(connection, "imports", asdict(note), "OR IGNORE")


def _admit(connection: sqlite3.Connection, note: ImportNote, allowance: ImportAllowance) -> bool:
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
