"""Browsers subscribed to web push, in a store."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from server.storage.fields import Fields, flat, text


@dataclass(frozen=True, slots=True)
class Device:
    """A subscribed browser of `owner` (RFC 8030, RFC 8291).

    `endpoint`: its address at the push service. `p256dh`, `auth`: its keys in base64url; whoever has all three can send
    to it, so they are never shown. `language`: of the page that subscribed.
    """

    endpoint: str
    owner: str
    p256dh: str
    auth: str
    language: str


class PushStore(Protocol):
    async def keep(self, device: Device) -> None:
        """Stores a device, replacing that of the same endpoint: a browser belongs to its latest user."""

    async def of(self, owner: str) -> Sequence[Device]:
        """All devices of `owner`."""

    async def drop(self, endpoint: str) -> None:
        """Deletes a device; does nothing if it is gone."""

    async def hand_over(self, owner: str, heir: str) -> None:
        """Passes the devices of `owner` to `heir`."""

    async def forget(self, owner: str) -> None:
        """Deletes all devices of `owner`."""


def to_document(device: Device) -> Mapping[str, int | str]:
    return flat(device, key="endpoint")


def device_of(document: Fields) -> Device:
    """The device of a document. Raises as `fields` says."""
    return Device(*(text(document, name) for name in ("_id", "owner", "p256dh", "auth", "language")))
