"""Alerts in the SQLite file. Each write is one transaction."""

import sqlite3
from collections.abc import Sequence
from functools import partial
from operator import itemgetter

from server.games.seek import Seek
from server.games.seek_alert import SeekAlert
from server.games.speed import speed_of
from server.storage.damage import Damage
from server.storage.errors import Duplicate
from server.storage.fields import Fields
from server.storage.protocols.alerts import MAX_NOTIFIED, alert_of, to_document
from server.storage.sqlite.file import SqliteFile

FIELDS = ("_id", "owner", "registered", "variants", "speeds", "until")
ALL = ", ".join(FIELDS)


class SqliteAlerts:
    """An `AlertStore`."""

    def __init__(self, file: SqliteFile, damage: Damage) -> None:
        self._file = file
        self._damage = damage

    async def add(self, alert: SeekAlert) -> None:
        await self._file.write(partial(_insert, alert=alert))

    async def of(self, owner: str, now: int) -> Sequence[SeekAlert]:
        return self._read(await self._file.read(partial(_select_of, owner=owner, now=now)))

    async def answering(self, seek: Seek, now: int) -> Sequence[SeekAlert]:
        return self._read(await self._file.read(partial(_select_answering, seek=seek, now=now)))

    def _read(self, documents: Sequence[Fields]) -> Sequence[SeekAlert]:
        return self._damage.readable("alerts", documents, alert_of, key=itemgetter("_id"))

    async def remove(self, alert_id: str, owner: str) -> bool:
        removed: list[int] = []
        await self._file.write(partial(_delete, alert_id=alert_id, owner=owner, removed=removed))
        return sum(removed) > 0

    async def claim_notification(self, owner: str, now: int, since: int) -> bool:
        claimed: list[int] = []
        await self._file.write(partial(_claim, owner=owner, now=now, since=since, claimed=claimed))
        return sum(claimed) > 0

    async def expire(self, now: int, notified_before: int) -> None:
        await self._file.write(partial(_expire, now=now, notified_before=notified_before))

    async def hand_over(self, owner: str, heir: str) -> None:
        await self._file.write(partial(_hand_over, owner=owner, heir=heir))

    async def forget(self, owner: str) -> None:
        await self._file.write(partial(_forget, owner=owner))


def _insert(connection: sqlite3.Connection, alert: SeekAlert) -> None:
    document = to_document(alert)
    places = ", ".join("?" * len(FIELDS))
    try:
        connection.execute(f"INSERT INTO alerts ({ALL}) VALUES ({places})", tuple(document[field] for field in FIELDS))
    except sqlite3.IntegrityError as error:
        raise Duplicate("There is an alert with this id already.") from error


def _select_of(connection: sqlite3.Connection, owner: str, now: int) -> Sequence[Fields]:
    return _select(connection, "owner = ? AND until > ? ORDER BY until, _id", (owner, now))


def _select_answering(connection: sqlite3.Connection, seek: Seek, now: int) -> Sequence[Fields]:
    suits = "variants = ''" + " OR ' ' || variants || ' ' GLOB ?" * len(seek.variants) if seek.variants else "TRUE"
    wanted = (
        "until > ? AND owner != ? AND registered >= ? AND (speeds = '' OR ' ' || speeds || ' ' GLOB ?)"
        f" AND ({suits}) ORDER BY until DESC, _id LIMIT ?"
    )
    words = (f"* {word} *" for word in (speed_of(seek.control), *seek.variants))
    return _select(connection, wanted, (now, seek.maker.player.id, seek.rated, *words, MAX_NOTIFIED))


def _select(connection: sqlite3.Connection, wanted: str, values: Sequence[int | str]) -> Sequence[Fields]:
    rows = connection.execute(f"SELECT {ALL} FROM alerts WHERE {wanted}", values)
    return [dict(zip(FIELDS, row, strict=True)) for row in rows]


def _delete(connection: sqlite3.Connection, alert_id: str, owner: str, removed: list[int]) -> None:
    cursor = connection.execute("DELETE FROM alerts WHERE _id = ? AND owner = ?", (alert_id, owner))
    removed.append(cursor.rowcount)


def _claim(connection: sqlite3.Connection, owner: str, now: int, since: int, claimed: list[int]) -> None:
    cursor = connection.execute(
        "INSERT INTO calls (owner, at) VALUES (?, ?) ON CONFLICT (owner) DO UPDATE SET at = excluded.at WHERE at <= ?",
        (owner, now, since),
    )
    claimed.append(cursor.rowcount)


def _expire(connection: sqlite3.Connection, now: int, notified_before: int) -> None:
    connection.execute("DELETE FROM alerts WHERE until <= ?", (now,))
    connection.execute("DELETE FROM calls WHERE at < ?", (notified_before,))


def _hand_over(connection: sqlite3.Connection, owner: str, heir: str) -> None:
    connection.execute("UPDATE alerts SET owner = ?, registered = 1 WHERE owner = ?", (heir, owner))


def _forget(connection: sqlite3.Connection, owner: str) -> None:
    for table in ("alerts", "calls"):
        connection.execute(f"DELETE FROM {table} WHERE owner = ?", (owner,))
