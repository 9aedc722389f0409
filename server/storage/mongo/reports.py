"""What people have told the host, in MongoDB."""

from collections.abc import Sequence
from typing import Any

from server.games.people.reports import Report
from server.games.player import Player
from server.storage.damage import Damage
from server.storage.mongo.driver_errors import checked, insert
from server.storage.protocols.reports import report_of, to_document


class MongoReports:
    """A `ReportStore`."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._damage = damage
        self._reports = database["reports"]

    async def add(self, report: Report) -> None:
        await insert(self._reports, to_document(report))

    async def open(self, limit: int) -> Sequence[Report]:
        return await self._read(self._reports.find({"closed": 0}).sort([("at", 1), ("_id", 1)]).limit(limit))

    async def by(self, person: str) -> Sequence[Report]:
        return await self._read(self._reports.find({"owner": person}).sort([("at", 1), ("_id", 1)]))

    async def _read(self, found: Any) -> Sequence[Report]:
        return self._damage.readable("reports", await checked(found.to_list(None)), report_of)

    async def close(self, report_id: str, at: int) -> bool:
        still_open = {"_id": report_id, "closed": 0}
        return bool((await checked(self._reports.update_one(still_open, {"$set": {"closed": at}}))).matched_count)

    async def hand_over(self, user: str, heir: Player) -> None:
        for who in ("owner", "about"):
            change = {"$set": {who: heir.id, f"{who}_name": heir.name}}
            await checked(self._reports.update_many({who: user}, change))

    async def forget(self, person: str) -> None:
        await checked(self._reports.delete_many({"$or": [{"owner": person}, {"about": person}]}))

    async def expire(self, closed_before: int) -> None:
        await checked(self._reports.delete_many({"closed": {"$gt": 0, "$lt": closed_before}}))
