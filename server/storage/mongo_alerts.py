"""Standing offers in MongoDB. Knows not motor, only collections."""

from collections.abc import Sequence
from typing import Any

from pymongo import DeleteMany

from server.games.alert import Alert
from server.storage.alerts import alert_of, to_document
from server.storage.errors import Duplicate
from server.storage.mongo_calls import ask, insert


class MongoAlerts:
    """An `AlertStore`. Call `prepare` once before use."""

    def __init__(self, database: Any) -> None:
        self._alerts = database["alerts"]
        self._calls = database["calls"]

    async def prepare(self) -> None:
        """Makes the indexes. Raises PyMongoError when stored values break them."""
        await self._alerts.create_index([("owner", 1), ("until", 1)])

    async def add(self, alert: Alert) -> None:
        await insert(self._alerts, to_document(alert))

    async def of(self, owner: str, now: int) -> Sequence[Alert]:
        return await self._find({"owner": owner, "until": {"$gt": now}})

    async def all(self, now: int) -> Sequence[Alert]:
        return await self._find({"until": {"$gt": now}})

    async def _find(self, asked: dict[str, Any]) -> Sequence[Alert]:
        found = await ask(self._alerts.find(asked).sort("until", 1).to_list(None))
        return [alert_of(document) for document in found]

    async def remove(self, alert_id: str, owner: str) -> bool:
        result = await ask(self._alerts.bulk_write([DeleteMany({"_id": alert_id, "owner": owner})]))
        return bool(result.deleted_count)

    async def claim_call(self, owner: str, now: int, since: int) -> bool:
        found = await ask(self._calls.update_one({"_id": owner, "at": {"$lte": since}}, {"$set": {"at": now}}))
        if found.matched_count:
            return True
        if await ask(self._calls.find_one({"_id": owner})) is not None:
            return False
        try:
            await insert(self._calls, {"_id": owner, "at": now})
        except Duplicate:
            return False
        return True

    async def expire(self, now: int, called_before: int) -> None:
        await ask(self._alerts.bulk_write([DeleteMany({"until": {"$lte": now}})]))
        await ask(self._calls.bulk_write([DeleteMany({"at": {"$lt": called_before}})]))

    async def forget(self, owner: str) -> None:
        await ask(self._alerts.bulk_write([DeleteMany({"owner": owner})]))
        await ask(self._calls.bulk_write([DeleteMany({"_id": owner})]))
