"""Stores the host's desk: one record with all roles, and the log. Times are ms since the epoch.

A change of the desk and its line in the log are one write: the record carries the line of its last change, and each
change first files the line of the one before, in case a crash kept it out of the log.
"""

from collections.abc import Sequence
from typing import Final

from server.games.desk import Deed, Desk, DeskEntry, LogSearch, Role
from server.games.player import Player
from server.storage.fields import Fields, FlatRecord, instant, number, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import Condition, Step, Table, TableStore, below

EVERY_LINE: Final = LogSearch()
THE_ONE: Final = "site"
"""The key of the desk's record."""
LEAVING: Final = ":leaving"
"""Follows the role of a person whose account is about to be deleted."""
ENTRY: Final = "#at author author_name deed about about_name detail"


def desk_of(fields: Fields) -> Desk:
    """The desk of stored fields. Raises as `fields` says."""
    words = [(person, role, rest) for person, role, *rest in (one.split(":") for one in text(fields, "roles").split())]
    roles = tuple((person, Role(role)) for person, role, _ in words)
    leaving = frozenset(person for person, _, rest in words if rest)
    return Desk(roles, text(fields, "claim"), number(fields, "claim_until"), number(fields, "rev"), leaving)


def entry_of(fields: Fields, key: str = "_id") -> DeskEntry:
    """The entry of stored fields. Raises as `fields` says."""
    by, whom = (Player(text(fields, one), text(fields, f"{one}_name")) for one in ("author", "about"))
    deed, detail = Deed(text(fields, "deed")), text(fields, "detail")
    return DeskEntry(text(fields, key), instant(fields, "at"), by, deed, whom, detail)


def last_entry_of(fields: Fields) -> DeskEntry:
    """The line of the last change of the desk, from its record. Raises as `fields` says."""
    return entry_of(fields, "entry")


def to_fields(entry: DeskEntry) -> FlatRecord:
    """The entry as fields, without its id."""
    return {
        "at": entry.at,
        "deed": entry.deed.value,
        "detail": entry.detail,
        "author": entry.by.id,
        "author_name": entry.by.name,
        "about": entry.whom.id,
        "about_name": entry.whom.name,
    }


def to_document(desk: Desk, entry: DeskEntry) -> FlatRecord:
    """The record of the desk, with the line of its last change."""
    return {
        "_id": THE_ONE,
        "roles": " ".join(f"{who}:{role}{LEAVING if who in desk.leaving else ''}" for who, role in desk.roles),
        "claim": desk.claim,
        "claim_until": desk.claim_until,
        "rev": desk.rev,
        "entry": entry.id,
        **to_fields(entry),
    }


def _read_desk(fields: Fields) -> tuple[Desk, DeskEntry]:
    return desk_of(fields), last_entry_of(fields)


DESK: Final = RecordKind("desk", typed_fields(f"_id roles claim #claim_until #rev entry {ENTRY}"), read=_read_desk)
DESK_LOG: Final = RecordKind(
    "desk_log", typed_fields(f"_id {ENTRY}"), indexes=("at _id", "author", "about"), read=entry_of
)


class DeskStore(TableStore):
    """The desk and its log."""

    kinds = (DESK, DESK_LOG)

    def __init__(self, table: Table, log: Table) -> None:
        super().__init__(table)
        self._log = log

    async def read(self) -> Desk:
        """The desk as it is now. Raises Unreadable, Unavailable."""
        return await self._table.read_one(desk_of, THE_ONE) or Desk()

    async def change(self, before: Desk, after: Desk, entry: DeskEntry, *written: Step) -> bool:
        """Stores `after`, to which `entry` changed `before`, and then the steps `written`. False: another write was
        quicker.
        """
        await self.file_last()
        record = to_document(after, entry)
        first = self._table.replace_step(record) if before.rev else self._table.add_if_new_step(record)
        return await self._table.write_if(first, *written, self.entry_step(entry))

    async def file_last(self) -> None:
        """Files the line of the last change, in case a crash kept it out of the log."""
        for last in await self._last():
            await self.record(last)

    def entry_step(self, entry: DeskEntry) -> Step:
        """The step that logs an action, to go with the write of the action itself. Repeating it changes nothing."""
        return self._log.add_if_new_step({"_id": entry.id, **to_fields(entry)})

    async def record(self, entry: DeskEntry, *written: Step) -> None:
        """Carries out the steps `written` (idempotent), and logs them."""
        await self._log.write(*written, self.entry_step(entry))

    async def line(self, key: str) -> DeskEntry | None:
        """The line with that id, if there is one that can be read."""
        return next(iter(await self._log.read(entry_of, _id=key)), None)

    async def log(self, until: int, limit: int, search: LogSearch = EVERY_LINE) -> Sequence[DeskEntry]:
        """The lines up to `until` that `search` finds, the newest first."""
        where: dict[str, Condition] = {"at": range(search.since, until + 1)}
        if search.deeds:
            where["deed"] = frozenset(deed.value for deed in search.deeds)
        for field, person in (("author", search.by), ("about", search.about)):
            if person.id:
                where[field] = person.id
            elif person.name:
                where[f"{field}_name"] = person.name
        lines = await self._log.read(entry_of, "at- _id-", limit, (), **where)
        last = [one for one in await self._last() if one.at <= until and search.finds(one)]
        return sorted({*lines, *last}, key=lambda one: (one.at, one.id), reverse=True)[:limit]

    async def entries_about(self, person: str) -> Sequence[DeskEntry]:
        """The lines by this person (an id) and those about them, the oldest first."""
        by = await self._log.read(entry_of, author=person)
        last = [one for one in await self._last() if person in (one.by.id, one.whom.id)]
        lines = [*by, *await self._log.read(entry_of, about=person), *last]
        return sorted({line.id: line for line in lines}.values(), key=lambda line: (line.at, line.id))

    async def expire(self, before: int) -> None:
        """Deletes the lines from before then."""
        await self._log.delete(at=below(before))
        blank = {"entry": "", "author": "", "author_name": "", "about": "", "about_name": "", "detail": ""}
        await self._table.set(blank, _id=THE_ONE, at=below(before))

    async def _last(self) -> Sequence[DeskEntry]:
        """The line of the last change, which the log may lack; none if it was kept long enough."""
        return [one for one in await self._table.read(last_entry_of, _id=THE_ONE) if one.id]
