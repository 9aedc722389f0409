"""What people have told the host about one another, in a store.

All times are ms since the epoch.
"""

from collections.abc import Sequence
from typing import Final

from server.games.people import Report, ReportKind
from server.games.player import Player
from server.storage.fields import Fields, FlatRecord, instant, number, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import Step, TableStore


def to_document(report: Report) -> FlatRecord:
    """The report as a record."""
    return {
        "_id": report.id,
        "owner": report.by.id,
        "owner_name": report.by.name,
        "about": report.about.id,
        "about_name": report.about.name,
        "kind": report.kind.value,
        "game": report.game,
        "text": report.text,
        "at": report.at,
        "closed": report.closed,
    }


def report_of(fields: Fields) -> Report:
    """The report of stored fields. Raises as `fields` says."""
    by, about = (Player(text(fields, one), text(fields, f"{one}_name")) for one in ("owner", "about"))
    return Report(
        text(fields, "_id"),
        by,
        about,
        ReportKind(text(fields, "kind")),
        text(fields, "game"),
        text(fields, "text"),
        instant(fields, "at"),
        number(fields, "closed"),
    )


REPORTS: Final = RecordKind(
    "reports",
    typed_fields("_id owner owner_name about about_name kind game text #at #closed"),
    indexes=("owner", "about", "closed"),
    read=report_of,
    people=("owner", "about"),
)


class ReportStore(TableStore):
    """Reports, open and closed."""

    kinds = (REPORTS,)

    async def add(self, report: Report) -> None:
        """Raises Duplicate too."""
        await self._table.add(to_document(report))

    async def open(self, limit: int) -> Sequence[Report]:
        """Those that the host has not closed, the oldest first, at most `limit`."""
        return await self._table.read(report_of, "at _id", limit, closed=0)

    async def by(self, person: str) -> Sequence[Report]:
        """Those that this person (an id) has made, the oldest first."""
        return await self._table.read(report_of, "at _id", owner=person)

    async def close(self, report_id: str, at: int, *written: Step) -> bool:
        """Notes that the host has dealt with it, and carries out what is `written` of that (idempotent).

        False: there is no such open report.
        """
        if not await self._table.count(_id=report_id, closed=0):
            return False
        await self._table.settle(self._table.set_step({"closed": at}, _id=report_id, closed=0), *written)
        return True

    async def count_open(self) -> int:
        """How many the host has not closed."""
        return await self._table.count(closed=0)

    async def hand_over(self, user: str, heir: Player) -> None:
        """Makes `heir` of `user` in all reports. Repeating it changes nothing."""
        await self._table.set({"owner": heir.id, "owner_name": heir.name}, owner=user)
        await self._table.set({"about": heir.id, "about_name": heir.name}, about=user)

    async def forget(self, person: str) -> None:
        """Deletes the reports by this person, and those about them."""
        await self._table.delete(owner=person)
        await self._table.delete(about=person)

    async def expire(self, closed_before: int) -> None:
        """Deletes those that were closed before then."""
        await self._table.delete(closed=range(1, closed_before))
