"""What people have told the host, in the SQLite file."""

import sqlite3
from collections.abc import Sequence
from functools import partial

from server.games.people.reports import Report
from server.games.player import Player
from server.storage.protocols.reports import report_of, to_document
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.rows import insert


class SqliteReports(SqlitePart):
    """A `ReportStore`."""

    async def add(self, report: Report) -> None:
        await self._file.write(partial(insert, table="reports", fields=to_document(report)))

    async def open(self, limit: int) -> Sequence[Report]:
        return await self._read("closed = 0 ORDER BY at, _id LIMIT ?", limit)

    async def by(self, person: str) -> Sequence[Report]:
        return await self._read("owner = ? ORDER BY at, _id", person)

    async def _read(self, wanted: str, value: int | str) -> Sequence[Report]:
        found = await self._file.fields(f"SELECT * FROM reports WHERE {wanted}", (value,))
        return self._damage.readable("reports", found, report_of)

    async def close(self, report_id: str, at: int) -> bool:
        return (
            await self._file.change("UPDATE reports SET closed = ? WHERE _id = ? AND closed = 0", (at, report_id)) > 0
        )

    async def hand_over(self, user: str, heir: Player) -> None:
        def write(connection: sqlite3.Connection) -> None:
            for who in ("owner", "about"):
                change = f"UPDATE reports SET {who} = ?, {who}_name = ? WHERE {who} = ?"
                connection.execute(change, (heir.id, heir.name, user))

        await self._file.write(write)

    async def forget(self, person: str) -> None:
        await self._file.change("DELETE FROM reports WHERE owner = ?1 OR about = ?1", (person,))

    async def expire(self, closed_before: int) -> None:
        await self._file.change("DELETE FROM reports WHERE closed > 0 AND closed < ?", (closed_before,))
