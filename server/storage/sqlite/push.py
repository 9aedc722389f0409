"""Browsers subscribed to web push, in the SQLite file."""

import sqlite3
from collections.abc import Sequence
from functools import partial

from server.storage.protocols.push import Device, device_of, to_document
from server.storage.sqlite.file import SqliteFile

FIELDS = ("_id", "owner", "p256dh", "auth", "language")
ALL = ", ".join(FIELDS)


class SqlitePush:
    """A `PushStore`."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def keep(self, device: Device) -> None:
        await self._file.write(partial(_keep, device=device))

    async def of(self, owner: str) -> Sequence[Device]:
        return await self._file.read(partial(_select, owner=owner))

    async def drop(self, endpoint: str) -> None:
        await self._file.write(partial(_delete, field="_id", value=endpoint))

    async def hand_over(self, owner: str, heir: str) -> None:
        await self._file.write(partial(_hand_over, owner=owner, heir=heir))

    async def forget(self, owner: str) -> None:
        await self._file.write(partial(_delete, field="owner", value=owner))


def _keep(connection: sqlite3.Connection, device: Device) -> None:
    document = to_document(device)
    places = ", ".join("?" * len(FIELDS))
    values = tuple(document[field] for field in FIELDS)
    connection.execute(f"INSERT OR REPLACE INTO devices ({ALL}) VALUES ({places})", values)


def _select(connection: sqlite3.Connection, owner: str) -> list[Device]:
    rows = connection.execute(f"SELECT {ALL} FROM devices WHERE owner = ? ORDER BY _id", (owner,))
    return [device_of(dict(zip(FIELDS, row, strict=True))) for row in rows]


def _delete(connection: sqlite3.Connection, field: str, value: str) -> None:
    connection.execute(f"DELETE FROM devices WHERE {field} = ?", (value,))


def _hand_over(connection: sqlite3.Connection, owner: str, heir: str) -> None:
    connection.execute("UPDATE devices SET owner = ? WHERE owner = ?", (heir, owner))
