"""Vacations in MongoDB."""

from collections.abc import Mapping, Sequence
from typing import Any

from server.storage.damage import Damage
from server.storage.mongo.driver_errors import checked, upsert
from server.storage.protocols.vacations import VacationRecord, key_of, to_document, vacation_of


class MongoVacations:
    """A `VacationStore`."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._damage = damage
        self._vacations = database["vacations"]

    async def keep(self, record: VacationRecord) -> None:
        await upsert(self._vacations, to_document(record))

    async def settle(self, record: VacationRecord) -> None:
        same = {"_id": key_of(record), "until": record.vacation.until}
        await checked(self._vacations.update_one(same, {"$set": {"settled": 1}}))

    async def of(self, owner: str) -> Sequence[VacationRecord]:
        return await self._read({"owner": owner})

    async def unsettled(self) -> Sequence[VacationRecord]:
        return await self._read({"settled": 0})

    async def _read(self, wanted: Mapping[str, Any]) -> Sequence[VacationRecord]:
        found = await checked(self._vacations.find(wanted).sort([("began", 1), ("_id", 1)]).to_list(None))
        return self._damage.readable("vacations", found, vacation_of)

    async def forget(self, owner: str) -> None:
        await checked(self._vacations.delete_many({"owner": owner}))

    async def expire(self, before: int) -> None:
        await checked(self._vacations.delete_many({"settled": 1, "until": {"$lt": before}}))
