"""Alerts in the SQLite file. Each write is one transaction."""

import sqlite3
from collections.abc import Sequence
from functools import partial

from server.games.clocks.speed import speed_of
from server.games.seeks.seek import Seek
from server.games.seeks.seek_alert import SeekAlert
from server.storage.protocols.alerts import MAX_NOTIFIED, alert_of, to_document
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.rows import insert


class SqliteAlerts(SqlitePart):
    """An `AlertStore`."""

    async def add(self, alert: SeekAlert) -> None:
        await self._file.write(partial(insert, table="alerts", fields=to_document(alert)))

    async def of(self, owner: str, now: int) -> Sequence[SeekAlert]:
        return await self._read("owner = ? AND until > ? ORDER BY until, _id", owner, now)

    async def answering(self, seek: Seek, now: int) -> Sequence[SeekAlert]:
        suits = "variants = ''" + " OR ' ' || variants || ' ' GLOB ?" * len(seek.variants) if seek.variants else "TRUE"
        wanted = (
            "until > ? AND owner != ? AND registered >= ? AND (speeds = '' OR ' ' || speeds || ' ' GLOB ?)"
            f" AND ({suits}) ORDER BY until DESC, _id LIMIT ?"
        )
        words = (f"* {word} *" for word in (speed_of(seek.control), *seek.variants))
        return await self._read(wanted, now, seek.maker.player.id, seek.rated, *words, MAX_NOTIFIED)

    async def _read(self, wanted: str, *values: int | str) -> Sequence[SeekAlert]:
        found = await self._file.fields(f"SELECT * FROM alerts WHERE {wanted}", values)
        return self._damage.readable("alerts", found, alert_of)

    async def remove(self, alert_id: str, owner: str) -> bool:
        return await self._file.change("DELETE FROM alerts WHERE _id = ? AND owner = ?", (alert_id, owner)) > 0

    async def claim_notification(self, owner: str, now: int, since: int) -> bool:
        claimed = await self._file.change(
            "INSERT INTO calls (owner, at) VALUES (?, ?)"
            " ON CONFLICT (owner) DO UPDATE SET at = excluded.at WHERE at <= ?",
            (owner, now, since),
        )
        return claimed > 0

    async def expire(self, now: int, notified_before: int) -> None:
        def write(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM alerts WHERE until <= ?", (now,))
            connection.execute("DELETE FROM calls WHERE at < ?", (notified_before,))

        await self._file.write(write)

    async def hand_over(self, owner: str, heir: str) -> None:
        await self._file.change("UPDATE alerts SET owner = ?, registered = 1 WHERE owner = ?", (heir, owner))

    async def forget(self, owner: str) -> None:
        def write(connection: sqlite3.Connection) -> None:
            for table in ("alerts", "calls"):
                connection.execute(f"DELETE FROM {table} WHERE owner = ?", (owner,))

        await self._file.write(write)
