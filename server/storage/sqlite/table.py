"""Tables of flat records in the SQLite file."""

import sqlite3
from collections.abc import Sequence
from functools import partial

from server.storage.fields import Fields
from server.storage.record_kinds import RecordKind
from server.storage.sqlite.file import SqliteFile
from server.storage.sqlite.rows import insert, json_list
from server.storage.tables.table import KEY, After, AnyWord, NoneOf, Step, TableEngine, Where


class SqliteTables(TableEngine):
    """Tables are called like the kinds, and columns like their fields."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def write(self, steps: Sequence[Step], only_if_first: bool) -> int:
        return await self._file.write(partial(_write, steps=steps, only_if_first=only_if_first))

    async def settle(self, mark: Step, steps: Sequence[Step]) -> None:
        await self.write((mark, *steps), only_if_first=True)

    async def find(
        self, kind: RecordKind, where: Where, order: str, limit: int, only: Sequence[str]
    ) -> Sequence[Fields]:
        key, *others = kind.fields
        columns = ", ".join((f"{key} AS {KEY}", *(name for name in only or others if name not in kind.beside)))
        condition, values = _condition(kind, where)
        by = ", ".join(_column(kind, name.rstrip("-")) + " DESC" * name.endswith("-") for name in order.split())
        query = f"SELECT {columns} FROM {kind.name}{condition}"
        query += f" ORDER BY {by}" * bool(by) + f" LIMIT {limit}" * bool(limit)
        return await self._file.fields(query, values)

    async def count(self, kind: RecordKind, where: Where) -> int:
        condition, values = _condition(kind, where)
        [(found,)] = await self._file.rows(f"SELECT count(*) FROM {kind.name}{condition}", values)
        return int(found)


def _write(connection: sqlite3.Connection, steps: Sequence[Step], only_if_first: bool) -> int:
    first = _carry_out(connection, steps[0])
    if first or not only_if_first:
        for step in steps[1:]:
            _carry_out(connection, step)
    return first


def _carry_out(connection: sqlite3.Connection, step: Step) -> int:
    """How many rows the step has changed."""
    kind = step.kind
    record = {_column(kind, name): value for name, value in step.record.items() if name not in kind.beside}
    condition, values = _condition(kind, step.where)
    match step.change:
        case "add":
            return insert(connection, kind.name, record)
        case "add_if_new":
            return insert(connection, kind.name, record, "OR IGNORE")
        case "put":
            return insert(connection, kind.name, record, "OR REPLACE")
        case "set":
            changes = ", ".join(f"{name} = ?" for name in record)
            statement = f"UPDATE {kind.name} SET {changes}{condition}"
            return connection.execute(statement, (*record.values(), *values)).rowcount
        case "delete":
            return connection.execute(f"DELETE FROM {kind.name}{condition}", values).rowcount


def _condition(kind: RecordKind, where: Where) -> tuple[str, Sequence[int | str]]:
    """The conditions in SQL, and their values."""
    said, values = [], list[int | str]()
    # A page is read along the index of the key: with the plus no other one is used, after which it would be sorted.
    others = "+" if isinstance(where.get(KEY), After) else ""
    for name, condition in where.items():
        column = _column(kind, name)
        match condition:
            case range():
                said.append(f"{column} >= ? AND {column} < ?")
                values += (condition.start, condition.stop)
            case frozenset():
                said.append(f"{column} IN (SELECT value FROM json_each(?))")
                values.append(json_list(sorted(condition)))
            case NoneOf():
                said.append(f"{column} NOT IN (SELECT value FROM json_each(?))")
                values.append(json_list(sorted(condition.texts)))
            case After():
                said.append(f"{column} > ?")
                values.append(condition.text)
            case AnyWord():
                said.append(f"({column} = ''" + f" OR ' ' || {column} || ' ' GLOB ?" * len(condition.words) + ")")
                values += (f"* {word} *" for word in sorted(condition.words))
            case _:
                said.append(f"{others}{column} = ?")
                values.append(condition)
    return " WHERE " * bool(said) + " AND ".join(said), values


def _column(kind: RecordKind, name: str) -> str:
    return kind.key[0] if name == KEY else name
