"""How seeks are taken in the SQLite file: by one transaction."""

import sqlite3
from collections.abc import Set
from functools import partial

from server.games.seeks import Pairing
from server.storage.damage import Damage
from server.storage.sqlite.file import SqliteFile
from server.storage.sqlite.rows import fields_of
from server.storage.tables.seeks import SEEKS, SeekStore, answered, leased_seek_of, taking
from server.storage.tables.table import Table


class SqliteSeeks(SeekStore):
    """Seeks in the SQLite file."""

    def __init__(self, file: SqliteFile, table: Table, quotas: Table) -> None:
        super().__init__(table, quotas)
        self._file = file

    async def take(self, seek_id: str, pairing: Pairing, known: Set[str] = frozenset(), beyond: int = 0) -> bool:
        asked = partial(_take, seek_id=seek_id, pairing=pairing, known=known, beyond=beyond, damage=self._table.damage)
        return await self._file.write(asked)


def _take(
    connection: sqlite3.Connection, seek_id: str, pairing: Pairing, known: Set[str], beyond: int, damage: Damage
) -> bool:
    found = fields_of(connection.execute("SELECT * FROM seeks WHERE _id = ?", (seek_id,)))
    if not found or found[0]["taker"]:
        return bool(found) and found[0]["taker"] == pairing.taker.id
    readable = damage.readable(SEEKS.name, found, leased_seek_of)
    if not readable or readable[0].until <= beyond:
        return False
    wanted = readable[0].seek
    makers = (wanted.maker.player.id, pairing.taker.id)
    theirs = fields_of(connection.execute("SELECT * FROM seeks WHERE taker = '' AND maker IN (?, ?)", makers))
    over = answered(wanted, pairing.taker, damage.readable(SEEKS.name, theirs, leased_seek_of))
    if not known <= set(over):
        return False
    fields = taking(pairing)
    changes = ", ".join(f"{field} = ?" for field in fields)
    connection.execute(f"UPDATE seeks SET {changes} WHERE _id = ?", (*fields.values(), seek_id))
    connection.executemany("DELETE FROM seeks WHERE _id = ?", [(other,) for other in over])
    return True
