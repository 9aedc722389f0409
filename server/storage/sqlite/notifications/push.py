"""Browsers subscribed to web push, in the SQLite file."""

from collections.abc import Sequence
from functools import partial

from server.storage.protocols.notifications.push import Device, device_of, to_document
from server.storage.sqlite.file import SqliteFile
from server.storage.sqlite.rows import insert


class SqlitePush:
    """A `PushStore`."""

    def __init__(self, file: SqliteFile) -> None:
        self._file = file

    async def keep(self, device: Device) -> None:
        await self._file.write(partial(insert, table="devices", fields=to_document(device), or_else="OR REPLACE"))

    async def of(self, owner: str) -> Sequence[Device]:
        found = await self._file.fields("SELECT * FROM devices WHERE owner = ? ORDER BY _id", (owner,))
        return [device_of(one) for one in found]

    async def drop(self, endpoint: str) -> None:
        await self._file.change("DELETE FROM devices WHERE _id = ?", (endpoint,))

    async def hand_over(self, owner: str, heir: str) -> None:
        await self._file.change("UPDATE devices SET owner = ? WHERE owner = ?", (heir, owner))

    async def forget(self, owner: str) -> None:
        await self._file.change("DELETE FROM devices WHERE owner = ?", (owner,))
