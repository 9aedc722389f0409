"""The host's notice in the SQLite file."""

from functools import partial

from server.storage.protocols.notifications.notices import THE_ONE, SiteNotice, notice_of, to_document
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.rows import insert


class SqliteNotices(SqlitePart):
    """A `NoticeStore`."""

    async def current(self) -> SiteNotice | None:
        found = await self._file.fields("SELECT * FROM notices WHERE _id = ?", (THE_ONE,))
        return next(iter(self._damage.readable("notices", found, notice_of)), None)

    async def post(self, notice: SiteNotice) -> None:
        await self._file.write(partial(insert, table="notices", fields=to_document(notice), or_else="OR REPLACE"))

    async def remove(self) -> bool:
        return await self._file.change("DELETE FROM notices") > 0
