"""Alerts in MongoDB."""

import re
from collections.abc import Sequence
from typing import Any

from server.games.clocks.speed import speed_of
from server.games.seeks.seek import Seek
from server.games.seeks.seek_alert import SeekAlert
from server.storage.damage import Damage
from server.storage.errors import Duplicate
from server.storage.fields import Fields
from server.storage.mongo.driver_errors import checked, insert
from server.storage.protocols.alerts import MAX_NOTIFIED, alert_of, to_document


class MongoAlerts:
    """An `AlertStore`."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._damage = damage
        self._alerts = database["alerts"]
        self._calls = database["calls"]

    async def add(self, alert: SeekAlert) -> None:
        await insert(self._alerts, to_document(alert))

    async def of(self, owner: str, now: int) -> Sequence[SeekAlert]:
        found = self._alerts.find({"owner": owner, "until": {"$gt": now}}).sort("until", 1)
        return self._read(await checked(found.to_list(None)))

    async def answering(self, seek: Seek, now: int) -> Sequence[SeekAlert]:
        wanted = {
            "until": {"$gt": now},
            "owner": {"$ne": seek.maker.player.id},
            "registered": {"$gte": int(seek.rated)},
            "speeds": _none_or(speed_of(seek.control)),
        }
        if seek.variants:
            wanted["variants"] = _none_or(*seek.variants)
        found = self._alerts.find(wanted).sort("until", -1).limit(MAX_NOTIFIED)
        return self._read(await checked(found.to_list(MAX_NOTIFIED)))

    def _read(self, documents: Sequence[Fields]) -> Sequence[SeekAlert]:
        return self._damage.readable("alerts", documents, alert_of)

    async def remove(self, alert_id: str, owner: str) -> bool:
        result = await checked(self._alerts.delete_many({"_id": alert_id, "owner": owner}))
        return bool(result.deleted_count)

    async def claim_notification(self, owner: str, now: int, since: int) -> bool:
        found = await checked(self._calls.update_one({"_id": owner, "at": {"$lte": since}}, {"$set": {"at": now}}))
        if found.matched_count:
            return True
        if await checked(self._calls.find_one({"_id": owner})) is not None:
            return False
        try:
            await insert(self._calls, {"_id": owner, "at": now})
        except Duplicate:
            return False
        return True

    async def expire(self, now: int, notified_before: int) -> None:
        await checked(self._alerts.delete_many({"until": {"$lte": now}}))
        await checked(self._calls.delete_many({"at": {"$lt": notified_before}}))

    async def hand_over(self, owner: str, heir: str) -> None:
        await checked(self._alerts.update_many({"owner": owner}, {"$set": {"owner": heir, "registered": 1}}))

    async def forget(self, owner: str) -> None:
        await checked(self._alerts.delete_many({"owner": owner}))
        await checked(self._calls.delete_many({"_id": owner}))


def _none_or(*words: str) -> dict[str, str]:
    """A query for a text that is empty or contains one of these words."""
    return {"$regex": f"^$|(^| )({'|'.join(map(re.escape, words))})( |$)"}
