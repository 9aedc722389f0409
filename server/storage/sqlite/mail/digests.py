"""News that people are told of later, in the SQLite file. Each write is one transaction."""

import sqlite3
from collections.abc import Sequence
from functools import partial
from typing import Final

from server.storage.fields import Fields
from server.storage.protocols.held import MESSAGE, HeldNews, Mailbox, held_of, to_document
from server.storage.protocols.outbox import OutboxMail
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.mail.outbox import put_mail
from server.storage.sqlite.rows import fields_of, insert

RIPE: Final = "SELECT owner, address FROM held INDEXED BY held_by_due WHERE due <= ? GROUP BY owner, address LIMIT ?"
"""Left to itself, SQLite would read all that is held, in the order of the mailboxes."""


class SqliteDigests(SqlitePart):
    """A `DigestStore`."""

    async def hold(self, news: HeldNews) -> None:
        await self._file.write(partial(insert, table="held", fields=to_document(news), or_else="OR REPLACE"))

    async def heard(self, owner: str, game: str, address: str | None = None) -> None:
        said = "FROM held WHERE game = ? AND kind = ? AND owner = ? AND address = ifnull(?, address)"
        # Most often there is nothing, and a write waits for the disk.
        if await self._file.rows(f"SELECT 1 {said}", (game, MESSAGE, owner, address)):
            await self._file.change(f"DELETE {said}", (game, MESSAGE, owner, address))

    async def ripe(self, now: int, limit: int) -> Sequence[Mailbox]:
        return [Mailbox(*row) for row in await self._file.rows(RIPE, (now, limit))]

    async def claim(self, mailbox: Mailbox, digest: str, now: int, until: int) -> Sequence[HeldNews]:
        found = await self._file.write(partial(_claim, mailbox=mailbox, digest=digest, now=now, until=until))
        return self._damage.readable("held", found, held_of)

    async def put_off(self, mailbox: Mailbox, now: int, due: int) -> None:
        await self._file.change(
            "UPDATE held SET due = ? WHERE owner = ? AND address = ? AND due <= ?", (due, *mailbox, now)
        )

    async def tell(self, digest: str, mail: OutboxMail | None) -> bool:
        return await self._file.write(partial(_tell, digest=digest, mail=mail))


def _claim(connection: sqlite3.Connection, mailbox: Mailbox, digest: str, now: int, until: int) -> Sequence[Fields]:
    due = "owner = ? AND address = ? AND due <= ?", (*mailbox, now)
    (begun,) = connection.execute(f"SELECT max(digest) FROM held WHERE {due[0]}", due[1]).fetchone()
    if begun is None:
        return []
    one = begun or digest
    connection.execute(
        f"UPDATE held SET digest = ?, due = ? WHERE {due[0]} AND digest = ?", (one, until, *due[1], begun)
    )
    if not begun:
        connection.execute(
            "UPDATE held SET digest = ?, due = ? WHERE owner = ? AND address = ? AND digest = ''"
            " AND game IN (SELECT game FROM held WHERE digest = ?)",
            (one, until, *mailbox, one),
        )
    return fields_of(connection.execute("SELECT * FROM held WHERE digest = ? ORDER BY _id", (one,)))


def _tell(connection: sqlite3.Connection, digest: str, mail: OutboxMail | None) -> bool:
    if connection.execute("SELECT 1 FROM held WHERE digest = ?", (digest,)).fetchone() is None:
        return True
    if mail is not None and not put_mail(connection, mail):
        return False
    connection.execute("DELETE FROM held WHERE digest = ?", (digest,))
    return True
