"""The mail addresses of accounts, in the SQLite file."""

import secrets
import sqlite3
from collections.abc import Sequence
from functools import partial

from server.storage.protocols.addresses import KEY_BYTES, SIGNING_KEY, MailAddress, address_key, address_of, to_document
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.rows import insert


class SqliteAddresses(SqlitePart):
    """An `AddressStore`."""

    async def keep(self, address: MailAddress) -> None:
        await self._file.write(partial(_keep, address=address))

    async def update(self, before: MailAddress, after: MailAddress) -> bool:
        return await self._file.write(partial(_update, before=before, after=after))

    async def of(self, owner: str) -> Sequence[MailAddress]:
        found = await self._file.fields("SELECT * FROM addresses WHERE owner = ? ORDER BY _id", (owner,))
        return self._damage.readable("addresses", found, address_of)

    async def drop(self, owner: str, address: str) -> None:
        await self._file.change("DELETE FROM addresses WHERE _id = ?", (address_key(owner, address),))

    async def forget(self, owner: str) -> None:
        await self._file.change("DELETE FROM addresses WHERE owner = ?", (owner,))

    async def signing_key(self) -> bytes:
        wanted = "SELECT value FROM secrets WHERE name = ?", (SIGNING_KEY,)
        if not (found := await self._file.rows(*wanted)):
            made = {"name": SIGNING_KEY, "value": secrets.token_hex(KEY_BYTES)}
            await self._file.write(partial(insert, table="secrets", fields=made, or_else="OR IGNORE"))
            found = await self._file.rows(*wanted)
        return bytes.fromhex(found[0][0])


def _keep(connection: sqlite3.Connection, address: MailAddress) -> None:
    insert(connection, "addresses", to_document(address), "OR REPLACE")


def _update(connection: sqlite3.Connection, before: MailAddress, after: MailAddress) -> bool:
    key = address_key(before.owner, before.address)
    there = connection.execute("SELECT 1 FROM addresses WHERE _id = ?", (key,)).fetchone() is not None
    if there:
        _keep(connection, after)
    return there
