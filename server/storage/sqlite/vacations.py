"""Vacations in the SQLite file."""

from collections.abc import Sequence
from functools import partial

from server.storage.protocols.vacations import VacationRecord, key_of, to_document, vacation_of
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.rows import insert


class SqliteVacations(SqlitePart):
    """A `VacationStore`."""

    async def keep(self, record: VacationRecord) -> None:
        await self._file.write(partial(insert, table="vacations", fields=to_document(record), or_else="OR REPLACE"))

    async def settle(self, record: VacationRecord) -> None:
        same = key_of(record), record.vacation.until
        await self._file.change("UPDATE vacations SET settled = 1 WHERE _id = ? AND until = ?", same)

    async def of(self, owner: str) -> Sequence[VacationRecord]:
        return await self._read("owner = ? ORDER BY began", owner)

    async def unsettled(self) -> Sequence[VacationRecord]:
        return await self._read("settled = 0 ORDER BY began, _id")

    async def _read(self, wanted: str, *values: str) -> Sequence[VacationRecord]:
        found = await self._file.fields(f"SELECT * FROM vacations WHERE {wanted}", values)
        return self._damage.readable("vacations", found, vacation_of)

    async def forget(self, owner: str) -> None:
        await self._file.change("DELETE FROM vacations WHERE owner = ?", (owner,))

    async def expire(self, before: int) -> None:
        await self._file.change("DELETE FROM vacations WHERE settled = 1 AND until < ?", (before,))
