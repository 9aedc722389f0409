"""The vacations that people with an account have taken, in a store. What they may take is decided in `games.vacations`.

All times are ms since the epoch.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from server.games.clocks.time_control import DAY_MS
from server.games.clocks.vacations import Vacation
from server.storage.errors import Duplicate
from server.storage.fields import Fields, FlatRecord, flag, instant, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import OwnedTableStore

LONGEST_MS: Final = 2 * 366 * DAY_MS
"""No vacation is longer: each counts in one year or two."""


@dataclass(frozen=True, slots=True)
class TakenVacation:
    """A vacation of `owner`. `settled`: it is over, and none of their games waits for it any more."""

    owner: str
    vacation: Vacation
    settled: bool = False


def key_of(record: TakenVacation) -> str:
    """The key of the only vacation that somebody began on that day."""
    return f"{record.owner} {record.vacation.began}"


def to_document(record: TakenVacation) -> FlatRecord:
    """The vacation as a record."""
    return {
        "_id": key_of(record),
        "owner": record.owner,
        "began": record.vacation.began,
        "until": record.vacation.until,
        "settled": int(record.settled),
    }


def vacation_of(fields: Fields) -> TakenVacation:
    """The vacation of stored fields. Raises as `fields` says."""
    began, until = instant(fields, "began"), instant(fields, "until")
    if not 0 <= until - began <= LONGEST_MS:
        raise ValueError("nobody can be away so long")
    return TakenVacation(text(fields, "owner"), Vacation(began, until), flag(fields, "settled"))


VACATIONS: Final = RecordKind(
    "vacations",
    typed_fields("_id owner #began #until #settled"),
    indexes=("owner", "settled"),
    read=vacation_of,
    people=("owner",),
)


class VacationStore(OwnedTableStore):
    """Vacations that were taken."""

    kinds = (VACATIONS,)

    async def begin(self, record: TakenVacation) -> bool:
        """Stores a vacation; False: the same person has begun one at the same instant."""
        try:
            await self._table.add(to_document(record))
        except Duplicate:
            return False
        return True

    async def end(self, record: TakenVacation, until: int) -> bool:
        """Gives it another end, and has games follow that; False: it has been given another one since."""
        change = {"until": until, "settled": 0}
        return await self._table.set(change, _id=key_of(record), until=record.vacation.until) > 0

    async def settle(self, record: TakenVacation) -> None:
        """Notes that it is settled, unless it has been given another end since."""
        await self._table.set({"settled": 1}, _id=key_of(record), until=record.vacation.until)

    async def of(self, owner: str) -> Sequence[TakenVacation]:
        """The vacations of `owner`, in the order in which they began."""
        return await self._table.read(vacation_of, "began _id", owner=owner)

    async def unsettled(self) -> Sequence[TakenVacation]:
        """All vacations that are still running, or that a game has yet to take into account."""
        return await self._table.read(vacation_of, "began _id", settled=False)

    async def expire(self, before: int) -> None:
        """Deletes settled vacations that ended before then."""
        await self._table.delete(settled=True, until=range(before))
