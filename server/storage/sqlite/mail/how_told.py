"""How people want to be told what concerns them, in the SQLite file."""

from functools import partial

from server.storage.protocols.how_told import HowTold, how_told_of, to_document
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.rows import insert


class SqliteHowTold(SqlitePart):
    """A `HowToldStore`."""

    async def keep(self, how: HowTold) -> None:
        await self._file.write(partial(insert, table="how_told", fields=to_document(how), or_else="OR REPLACE"))

    async def of(self, owner: str) -> HowTold:
        found = await self._file.fields("SELECT * FROM how_told WHERE _id = ?", (owner,))
        return next(iter(self._damage.readable("how_told", found, how_told_of)), HowTold(owner))

    async def forget(self, owner: str) -> None:
        await self._file.change("DELETE FROM how_told WHERE _id = ?", (owner,))
