"""What the host has to say to everybody, in a store: at most one notice, until a certain time. It may announce that the
site is about to be restarted.
"""

from dataclasses import dataclass
from typing import Final

from server.storage.fields import Fields, flat, instant, number, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import Step, TableStore

THE_ONE: Final = "site"
"""The key of the only record."""
LATE_MS: Final = 15 * 60_000
"""Whoever has not restarted the site so long after the time has thought better of it, and people are paired again."""


@dataclass(frozen=True, slots=True)
class SiteNotice:
    """`posted`, `until`: ms since the epoch; it is shown between them. `restarts`: when the site is to be restarted,
    and nobody is paired until it has been; 0: it only says something.
    """

    text: str
    posted: int
    until: int
    restarts: int = 0

    def is_due(self, now: int, began: int, *, alone: bool) -> bool:
        """Does a process that began at `began` show it at `now` (ms)? Not after the restart that it announces.

        Who is `alone` is the whole site, which has been restarted with it. Of several processes one that begins anew
        counts down with the others: those whom it would pair may be at one that is still to be restarted.
        """
        restarted = self.restarts and began > self.posted and (alone or now >= self.restarts)
        return now < self.until and not restarted


def notice_of(fields: Fields) -> SiteNotice:
    """The notice of stored fields. Raises as `fields` says."""
    times = instant(fields, "posted"), instant(fields, "until"), number(fields, "restarts")
    return SiteNotice(text(fields, "text"), *times)


NOTICES: Final = RecordKind(
    "notices", typed_fields("_id text #posted #until #restarts"), read=notice_of, added={"restarts": 0}
)


class NoticeStore(TableStore):
    """The notice, if there is one."""

    kinds = (NOTICES,)

    async def current(self) -> SiteNotice | None:
        """The notice that was posted last, even if its time is over."""
        return next(iter(await self._table.read(notice_of, _id=THE_ONE)), None)

    async def post(self, notice: SiteNotice, *written: Step) -> None:
        """Replaces the notice, and carries out what is `written` of that (idempotent)."""
        await self._table.write(*written, self._table.put_step({"_id": THE_ONE, **flat(notice)}))

    async def remove(self, *written: Step, posted: int | None = None) -> bool:
        """Removes the notice (None: whichever, else the one posted then), and carries out what is `written` of that
        (idempotent). Was there one?
        """
        which = {"_id": THE_ONE} if posted is None else {"_id": THE_ONE, "posted": posted}
        if not await self._table.count(**which):
            return False
        await self._table.settle(self._table.delete_step(**which), *written)
        return True
