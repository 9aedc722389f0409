"""What people have told the host about one another, in a store, and who looks into what.

All times are ms since the epoch. The reports about one person are a case, which somebody takes for a while.
"""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from server.games.people import Outcome, Report, ReportKind, SaidLine
from server.games.player import DELETED_NAME, Player
from server.storage.fields import Fields, FlatRecord, instant, number, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import Step, Table, TableStore, below


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
        "outcome": report.outcome,
        "lines": _stored(report.lines),
    }


def _stored(lines: Sequence[SaidLine]) -> str:
    return json.dumps([[one.at, one.person, one.name, one.text] for one in lines]) if lines else ""


def lines_of(stored: str) -> tuple[SaidLine, ...]:
    """What was said, as it is stored. Raises ValueError."""
    try:
        found = json.loads(stored) if stored else []
        return tuple(SaidLine(int(at), str(person), str(name), str(said)) for at, person, name, said in found)
    except TypeError as error:
        raise ValueError(str(error)) from None


def report_of(fields: Fields) -> Report:
    """The report of stored fields. Raises as `fields` says."""
    fields = {**REPORTS.added, **fields}
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
        Outcome(outcome) if (outcome := text(fields, "outcome")) else "",
        lines_of(text(fields, "lines")),
    )


REPORTS: Final = RecordKind(
    "reports",
    typed_fields("_id owner owner_name about about_name kind game text #at #closed outcome lines"),
    added={"outcome": "", "lines": ""},
    indexes=("owner", "about", "closed"),
    read=report_of,
    people=("owner", "about"),
)


@dataclass(frozen=True, slots=True)
class ReportCase:
    """`taker` looks until `until` into what was reported about the person with the id `about`."""

    about: str
    taker: Player
    until: int
    rev: int


def case_of(fields: Fields) -> ReportCase:
    """The case of stored fields. Raises as `fields` says."""
    taker = Player(text(fields, "taker"), text(fields, "taker_name"))
    return ReportCase(text(fields, "_id"), taker, number(fields, "until"), number(fields, "rev"))


REPORT_CASES: Final = RecordKind(
    "report_cases",
    typed_fields("_id taker taker_name #until #rev"),
    indexes=("taker", "until"),
    read=case_of,
    people=("_id", "taker"),
)
TAKEN_MS: Final = 15 * 60_000
"""How long nobody else takes a case."""


class ReportStore(TableStore):
    """Reports, open and closed, and their cases."""

    kinds = (REPORTS, REPORT_CASES)

    def __init__(self, table: Table, cases: Table) -> None:
        super().__init__(table)
        self._cases = cases

    async def about(self, person: str) -> Sequence[Report]:
        """The open ones about this person (an id), the oldest first."""
        return await self._table.read(report_of, "at _id", about=person, closed=0)

    async def count_about(self, person: str) -> int:
        """How many of them there are."""
        return await self._table.count(about=person, closed=0)

    async def records_of(self, reporters: Collection[str]) -> Mapping[str, tuple[int, int]]:
        """By each of these people (ids): how many of what they have reported was upheld, and how many was decided at
        all, lately. Of somebody whose account is deleted ("") nothing is known.
        """
        known = frozenset(reporters) - {""}
        found = await self._table.find(only=("owner", "outcome"), owner=known) if known else ()
        of_each = dict.fromkeys(reporters, (0, 0))
        for one in found:
            # A node of an earlier release may have written it.
            outcome = one.get("outcome")
            if outcome in (Outcome.UPHELD.value, Outcome.NOT_UPHELD.value):
                upheld, of = of_each[str(one["owner"])]
                of_each[str(one["owner"])] = upheld + (outcome == Outcome.UPHELD.value), of + 1
        return of_each

    async def spread_of(self, reporters: Collection[str]) -> Mapping[str, int]:
        """By each of these people (ids): about how many people they have open reports. Those whose accounts are deleted
        ("") count as one.
        """
        found = await self._table.find(only=("owner", "about", "closed"), owner=frozenset(reporters))
        return Counter(
            owner for owner, _ in {(str(one["owner"]), str(one["about"])) for one in found if not one["closed"]}
        )

    def decide_step(self, person: str, read: int, now: int, outcome: str) -> Step:
        """The step that closes the open reports about a person that were there at `read`. It may be repeated."""
        to: FlatRecord = {"closed": now, "outcome": outcome}
        return self._table.set_step(to, about=person, closed=0, at=below(read + 1))

    async def decide(self, person: str, read: int, now: int, outcome: Outcome, *written: Step) -> bool:
        """Closes them, and carries out what is `written` of that (idempotent). False: there were none."""
        if not await self._table.count(about=person, closed=0, at=below(read + 1)):
            return False
        await self._table.settle(self.decide_step(person, read, now, outcome.value), *written)
        return True

    async def cases(self) -> Mapping[str, ReportCase]:
        """Who looks into what, by whom it is about."""
        return {one.about: one for one in await self._cases.read(case_of)}

    async def take_case(self, about: str, taker: Player, now: int) -> ReportCase:
        """The case, which `taker` has from now on unless somebody else has it: of two who take it at once, one does."""
        found = await self._cases.read_one(case_of, about)
        if found is not None and found.taker.id != taker.id and now < found.until:
            return found
        case = ReportCase(about, taker, now + TAKEN_MS, found.rev + 1 if found else 1)
        record: FlatRecord = {
            "_id": about,
            "taker": taker.id,
            "taker_name": taker.name,
            "until": case.until,
            "rev": case.rev,
        }
        taken = await (self._cases.replace(record) if found else self._cases.add_if_new(record))
        return case if taken else (await self._cases.read_one(case_of, about) or case)

    async def leave_case(self, about: str, taker: str) -> None:
        """Lets others take it."""
        await self._cases.set({"until": 0}, _id=about, taker=taker)

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
        await self._cases.delete(_id=user)

    async def forget(self, person: str) -> None:
        """Deletes the reports about this person, and closed ones by them. Open ones stay, without their name, also
        beside what they said: what somebody did is not undone because who has told it leaves.
        """
        for one in await self.by(person):
            if not one.closed:
                lines = [
                    SaidLine(line.at, "", DELETED_NAME, line.text) if line.person == person else line
                    for line in one.lines
                ]
                without: FlatRecord = {"owner": "", "owner_name": DELETED_NAME, "lines": _stored(lines)}
                await self._table.set(without, _id=one.id)
        await self._table.delete(owner=person)
        await self._table.delete(about=person)
        await self._cases.delete(_id=person)
        await self._cases.delete(taker=person)

    async def expire(self, closed_before: int, now: int) -> None:
        """Deletes those that were closed before then, and cases that nobody has at `now`."""
        await self._table.delete(closed=range(1, closed_before))
        await self._cases.delete(until=below(now - TAKEN_MS))
