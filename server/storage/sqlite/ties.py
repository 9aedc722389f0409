"""Ties between people in the SQLite file."""

import sqlite3
from collections.abc import Sequence
from functools import partial

from server.games.people.ties import Tie, TieKind
from server.games.player import Player
from server.storage.fields import Fields
from server.storage.protocols.ties import Block, block_of, changes_of_hands, key_of, tie_of, to_document
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.rows import insert
from server.storage.time_slices import run_sliced

BY_OR_TO = "owner = ?1 OR other = ?1"


class SqliteTies(SqlitePart):
    """A `TieStore`."""

    async def keep(self, tie: Tie) -> None:
        await self._file.write(partial(insert, table="ties", fields=to_document(tie), or_else="OR REPLACE"))

    async def remove(self, owner: str, kind: TieKind, other: str) -> None:
        await self._file.change("DELETE FROM ties WHERE _id = ?", (key_of(owner, kind, other),))

    async def of(self, owner: str) -> Sequence[Tie]:
        return self._readable(await self._file.fields("SELECT * FROM ties WHERE owner = ? ORDER BY at, _id", (owner,)))

    async def blocks(self, person: str = "") -> Sequence[Block]:
        whose = f"AND ({BY_OR_TO})" if person else ""
        found = await self._file.fields(
            f"SELECT * FROM ties WHERE kind = 'blocks' {whose}", (person,) if person else ()
        )
        return await run_sliced(self._damage.readable_sliced("ties", found, block_of))

    async def are_apart(self, one: str, other: str) -> bool:
        keys = key_of(one, TieKind.BLOCKS, other), key_of(other, TieKind.BLOCKS, one)
        return bool(await self._file.rows("SELECT 1 FROM ties WHERE _id IN (?, ?)", keys))

    async def hand_over(self, user: str, heir: Player) -> None:
        theirs = self._readable(await self._file.fields(f"SELECT * FROM ties WHERE {BY_OR_TO}", (user,)))
        before, after = changes_of_hands(theirs, user, heir)

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany("DELETE FROM ties WHERE _id = ?", [(key,) for key in before])
            for tie in after:
                insert(connection, "ties", to_document(tie), "OR REPLACE")

        await self._file.write(write)

    async def forget(self, person: str) -> None:
        await self._file.change(f"DELETE FROM ties WHERE {BY_OR_TO}", (person,))

    def _readable(self, found: Sequence[Fields]) -> Sequence[Tie]:
        return self._damage.readable("ties", found, tie_of)
