"""Browsers subscribed to web push, in a store."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from server.storage.fields import Fields, flat, instant, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import OwnedTableStore


@dataclass(frozen=True, slots=True)
class Device:
    """A subscribed browser of `owner` (RFC 8030, RFC 8291).

    `endpoint`: its address at the push service. `p256dh`, `auth`: its keys in base64url; whoever has all three can send
    to it, so they are never shown. `language`: of the page that subscribed. `at`: when it did, ms since the epoch; 0:
    before that was noted.
    """

    endpoint: str
    owner: str
    p256dh: str
    auth: str
    language: str
    at: int = 0


def device_of(document: Fields) -> Device:
    """The device of a document. Raises as `fields` says."""
    document = {**DEVICES.added, **document}
    endpoint, owner, p256dh, auth = (text(document, name) for name in ("_id", "owner", "p256dh", "auth"))
    return Device(endpoint, owner, p256dh, auth, text(document, "language"), instant(document, "at"))


DEVICES: Final = RecordKind(
    "devices",
    typed_fields("_id owner p256dh auth language #at"),
    added={"at": 0},
    indexes=("owner",),
    read=device_of,
    people=("owner",),
)
MAX_DEVICES: Final = 10
"""Of one person, so that nobody can make this server write to ever more addresses."""


class PushStore(OwnedTableStore):
    """Browsers by the addresses at which they are reached."""

    kinds = (DEVICES,)

    async def keep(self, device: Device) -> None:
        """Stores a device, replacing that of the same endpoint: a browser belongs to its latest user.

        The owner keeps the MAX_DEVICES latest. The others are deleted after it is stored, in a fixed order: so however
        many are stored at once, the last to look sees all of them, and no two disagree.
        """
        await self._table.put(flat(device, key="endpoint"))
        await self._keep_latest(device.owner)

    async def _keep_latest(self, owner: str) -> None:
        found = await self._table.find("at- _id", only=("at",), owner=owner)
        if old := frozenset(str(one["_id"]) for one in found[MAX_DEVICES:]):
            await self._table.delete(_id=old, owner=owner)

    async def of(self, owner: str) -> Sequence[Device]:
        """All devices of `owner`."""
        return await self._table.read(device_of, "_id", owner=owner)

    async def drop(self, endpoint: str) -> None:
        """Deletes a device; does nothing if it is gone."""
        await self._table.delete(_id=endpoint)

    async def hand_over(self, owner: str, heir: str) -> None:
        """Passes the devices of `owner` to `heir`, who keeps as many as anybody may. Repeating it changes nothing."""
        await self._table.set({"owner": heir}, owner=owner)
        await self._keep_latest(heir)
