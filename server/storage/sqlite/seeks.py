"""Open seeks in the SQLite file. Each write is one transaction."""

import sqlite3
from collections.abc import Sequence, Set
from functools import partial

from server.games.seek import Pairing, Seek
from server.storage.damage import Damage
from server.storage.errors import Duplicate
from server.storage.protocols.seeks import LeasedSeek, answered, leased_seeks_of, taken_of, taking, to_document
from server.storage.record_kinds import SEEKS
from server.storage.sqlite.file import SqliteFile

FIELDS = tuple(SEEKS.fields)
ALL = ", ".join(f'"{field}"' for field in FIELDS)


class SqliteSeeks:
    """A `SeekStore`."""

    def __init__(self, file: SqliteFile, damage: Damage) -> None:
        self._file = file
        self._damage = damage

    async def add(self, standing: LeasedSeek) -> None:
        await self._file.write(partial(_insert, standing=standing))

    async def open(self) -> Sequence[LeasedSeek]:
        return leased_seeks_of(await self._file.read(partial(_select, where="taker = ''")), self._damage)

    async def prolong(self, maker: str, until: int) -> None:
        await self._file.write(partial(_prolong, maker=maker, until=until))

    async def shorten(self, maker: str, until: int) -> None:
        await self._file.write(partial(_shorten, maker=maker, until=until))

    async def take(self, seek_id: str, pairing: Pairing, known: Set[str] = frozenset(), beyond: int = 0) -> bool:
        asked = partial(_take, seek_id=seek_id, pairing=pairing, known=known, beyond=beyond, damage=self._damage)
        await self._file.write(asked)
        return await self._file.read(partial(_taken_by, seek_id=seek_id)) == pairing.taker.id

    async def taken(self) -> Sequence[tuple[Seek, Pairing]]:
        rows = await self._file.read(partial(_select, where="taker != ''"))
        return taken_of(rows, self._damage)

    async def remove(self, seek_id: str) -> None:
        await self._file.write(partial(_delete, seek_id=seek_id))

    async def withdraw(self, seek_id: str, maker: str) -> bool:
        removed: list[int] = []
        await self._file.write(partial(_withdraw, seek_id=seek_id, maker=maker, removed=removed))
        return sum(removed) > 0

    async def expire(self, now: int) -> Sequence[str]:
        over = await self._file.read(partial(_select, where=f"taker = '' AND until < {now:d}"))
        gone = [str(row["_id"]) for row in over]
        if gone:
            await self._file.write(partial(_expire, now=now))
        return gone


def _insert(connection: sqlite3.Connection, standing: LeasedSeek) -> None:
    document = to_document(standing)
    places = ", ".join("?" * len(FIELDS))
    try:
        connection.execute(f"INSERT INTO seeks ({ALL}) VALUES ({places})", tuple(document[field] for field in FIELDS))
    except sqlite3.IntegrityError as error:
        raise Duplicate("There is a seek with this id already.") from error


def _select(connection: sqlite3.Connection, where: str, *values: str) -> list[dict[str, int | str]]:
    rows = connection.execute(f"SELECT {ALL} FROM seeks WHERE {where} ORDER BY created, _id", values)
    return [dict(zip(FIELDS, row, strict=True)) for row in rows]


def _prolong(connection: sqlite3.Connection, maker: str, until: int) -> None:
    connection.execute(
        "UPDATE seeks SET until = ? WHERE maker = ? AND days = 0 AND taker = '' AND until < ?", (until, maker, until)
    )


def _shorten(connection: sqlite3.Connection, maker: str, until: int) -> None:
    connection.execute(
        "UPDATE seeks SET until = ? WHERE maker = ? AND days = 0 AND taker = '' AND until > ?", (until, maker, until)
    )


def _take(
    connection: sqlite3.Connection, seek_id: str, pairing: Pairing, known: Set[str], beyond: int, damage: Damage
) -> None:
    found = leased_seeks_of(_select(connection, f"taker = '' AND until > {beyond:d} AND _id = ?", seek_id), damage)
    if not found:
        return
    wanted = found[0].seek
    theirs = _select(connection, "taker = '' AND maker IN (?, ?)", wanted.maker.player.id, pairing.taker.id)
    over = answered(wanted, pairing.taker, leased_seeks_of(theirs, damage))
    if not known <= set(over):
        return
    fields = taking(pairing)
    changes = ", ".join(f"{field} = ?" for field in fields)
    connection.execute(f"UPDATE seeks SET {changes} WHERE _id = ?", (*fields.values(), seek_id))
    connection.executemany("DELETE FROM seeks WHERE _id = ?", [(other,) for other in over])


def _taken_by(connection: sqlite3.Connection, seek_id: str) -> str | None:
    row = connection.execute("SELECT taker FROM seeks WHERE _id = ?", (seek_id,)).fetchone()
    return None if row is None else str(row[0])


def _delete(connection: sqlite3.Connection, seek_id: str) -> None:
    connection.execute("DELETE FROM seeks WHERE _id = ?", (seek_id,))


def _withdraw(connection: sqlite3.Connection, seek_id: str, maker: str, removed: list[int]) -> None:
    cursor = connection.execute("DELETE FROM seeks WHERE _id = ? AND maker = ? AND taker = ''", (seek_id, maker))
    removed.append(cursor.rowcount)


def _expire(connection: sqlite3.Connection, now: int) -> None:
    connection.execute("DELETE FROM seeks WHERE taker = '' AND until < ?", (now,))
