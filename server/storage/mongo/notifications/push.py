"""Browsers subscribed to web push, in MongoDB."""

from collections.abc import Sequence
from typing import Any

from server.storage.damage import Damage
from server.storage.mongo.driver_errors import checked, upsert
from server.storage.protocols.notifications.push import Device, device_of, to_document


class MongoPush:
    """A `PushStore`."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._damage = damage
        self._devices = database["devices"]

    async def keep(self, device: Device) -> None:
        await upsert(self._devices, to_document(device))

    async def of(self, owner: str) -> Sequence[Device]:
        found = await checked(self._devices.find({"owner": owner}).sort("_id", 1).to_list(None))
        return self._damage.readable("devices", found, device_of)

    async def drop(self, endpoint: str) -> None:
        await checked(self._devices.delete_many({"_id": endpoint}))

    async def hand_over(self, owner: str, heir: str) -> None:
        await checked(self._devices.update_many({"owner": owner}, {"$set": {"owner": heir}}))

    async def forget(self, owner: str) -> None:
        await checked(self._devices.delete_many({"owner": owner}))
