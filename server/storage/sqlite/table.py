"""A table of flat records in the SQLite file."""

import sqlite3
from collections.abc import Mapping, Sequence

from server.storage.damage import Damage
from server.storage.fields import Fields, FlatRecord
from server.storage.record_kinds import RecordKind
from server.storage.sqlite.file import SqliteFile
from server.storage.sqlite.rows import insert, json_list
from server.storage.tables.table import Condition, Table

KEY = "_id"


class SqliteTable(Table):
    """Columns are called like the fields of the kind."""

    def __init__(self, file: SqliteFile, damage: Damage, kind: RecordKind) -> None:
        super().__init__(kind, damage)
        self._file = file

    async def add(self, record: FlatRecord) -> None:
        await self._insert([record])

    async def add_if_new(self, record: FlatRecord) -> None:
        await self._insert([record], "OR IGNORE")

    async def put(self, *records: FlatRecord) -> None:
        await self._insert(records, "OR REPLACE")

    async def _insert(self, records: Sequence[FlatRecord], or_else: str = "") -> None:
        def write(connection: sqlite3.Connection) -> None:
            for record in records:
                insert(connection, self.kind.name, {self._column(name): record[name] for name in record}, or_else)

        await self._file.write(write)

    async def set(self, to: FlatRecord, **where: Condition) -> int:
        changes = ", ".join(f"{self._column(name)} = ?" for name in to)
        condition, values = self._where(where)
        return await self._file.change(f"UPDATE {self.kind.name} SET {changes}{condition}", [*to.values(), *values])

    async def delete(self, **where: Condition) -> int:
        condition, values = self._where(where)
        return await self._file.change(f"DELETE FROM {self.kind.name}{condition}", values)

    async def find(self, order: str = "", limit: int = 0, **where: Condition) -> Sequence[Fields]:
        key, *columns = self.kind.fields
        condition, values = self._where(where)
        query = f"SELECT {', '.join((f'{key} AS {KEY}', *columns))} FROM {self.kind.name}{condition}"
        by = [f"{self._column(name.rstrip('-'))}{' DESC' * name.endswith('-')}" for name in order.split()]
        query += f" ORDER BY {', '.join(by)}" * bool(by) + f" LIMIT {limit}" * bool(limit)
        return await self._file.fields(query, values)

    def _where(self, where: Mapping[str, Condition]) -> tuple[str, list[int | str]]:
        """The condition in SQL, and its values."""
        said, values = [], list[int | str]()
        for name, condition in where.items():
            column = self._column(name)
            match condition:
                case range():
                    said.append(f"{column} >= ? AND {column} < ?")
                    values += (condition.start, condition.stop)
                case frozenset():
                    said.append(f"{column} IN (SELECT value FROM json_each(?))")
                    values.append(json_list(sorted(condition)))
                case _:
                    said.append(f"{column} = ?")
                    values.append(condition)
        return " WHERE " * bool(said) + " AND ".join(said), values

    def _column(self, name: str) -> str:
        return self.kind.key[0] if name == KEY else name
