"""Open seeks in the SQLite file. Each write is one transaction."""

import sqlite3
from collections.abc import Sequence, Set
from functools import partial

from server.games.seeks.seek import Pairing, Seek
from server.storage.damage import Damage
from server.storage.protocols.seeks import LeasedSeek, answered, leased_seeks_of, taken_of, taking, to_document
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.rows import fields_of, insert

OPEN = "SELECT * FROM seeks WHERE taker = ''"
OLDEST_FIRST = "ORDER BY created, _id"


class SqliteSeeks(SqlitePart):
    """A `SeekStore`."""

    async def add(self, standing: LeasedSeek) -> None:
        await self._file.write(partial(insert, table="seeks", fields=to_document(standing)))

    async def open(self) -> Sequence[LeasedSeek]:
        return leased_seeks_of(await self._file.fields(f"{OPEN} {OLDEST_FIRST}"), self._damage)

    async def prolong(self, maker: str, until: int) -> None:
        await self._end_at(maker, "until < ?", until)

    async def shorten(self, maker: str, until: int) -> None:
        await self._end_at(maker, "until > ?", until)

    async def _end_at(self, maker: str, those: str, until: int) -> None:
        """Sets the end of the maker's open real-time seeks, of `those` whose end differs in that way."""
        await self._file.change(
            f"UPDATE seeks SET until = ? WHERE maker = ? AND days = 0 AND taker = '' AND {those}", (until, maker, until)
        )

    async def take(self, seek_id: str, pairing: Pairing, known: Set[str] = frozenset(), beyond: int = 0) -> bool:
        asked = partial(_take, seek_id=seek_id, pairing=pairing, known=known, beyond=beyond, damage=self._damage)
        return await self._file.write(asked)

    async def taken(self) -> Sequence[tuple[Seek, Pairing]]:
        found = await self._file.fields(f"SELECT * FROM seeks WHERE taker != '' {OLDEST_FIRST}")
        return taken_of(found, self._damage)

    async def remove(self, seek_id: str) -> None:
        await self._file.change("DELETE FROM seeks WHERE _id = ?", (seek_id,))

    async def withdraw(self, seek_id: str, maker: str) -> bool:
        theirs = "DELETE FROM seeks WHERE _id = ? AND maker = ? AND taker = ''"
        return await self._file.change(theirs, (seek_id, maker)) > 0

    async def expire(self, now: int) -> Sequence[str]:
        return await self._file.write(partial(_expire, now=now))


def _take(
    connection: sqlite3.Connection, seek_id: str, pairing: Pairing, known: Set[str], beyond: int, damage: Damage
) -> bool:
    found = fields_of(connection.execute("SELECT * FROM seeks WHERE _id = ?", (seek_id,)))
    if not found or found[0]["taker"]:
        return bool(found) and found[0]["taker"] == pairing.taker.id
    readable = leased_seeks_of(found, damage)
    if not readable or readable[0].until <= beyond:
        return False
    wanted = readable[0].seek
    makers = (wanted.maker.player.id, pairing.taker.id)
    theirs = fields_of(connection.execute(f"{OPEN} AND maker IN (?, ?) {OLDEST_FIRST}", makers))
    over = answered(wanted, pairing.taker, leased_seeks_of(theirs, damage))
    if not known <= set(over):
        return False
    fields = taking(pairing)
    changes = ", ".join(f"{field} = ?" for field in fields)
    connection.execute(f"UPDATE seeks SET {changes} WHERE _id = ?", (*fields.values(), seek_id))
    connection.executemany("DELETE FROM seeks WHERE _id = ?", [(other,) for other in over])
    return True


def _expire(connection: sqlite3.Connection, now: int) -> Sequence[str]:
    gone = connection.execute("DELETE FROM seeks WHERE taker = '' AND until < ? RETURNING _id", (now,)).fetchall()
    return [seek_id for (seek_id,) in gone]
