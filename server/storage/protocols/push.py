"""What a store keeps of the browsers that are notified by web push. Knows no engine and no push service."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from server.storage.fields import Fields, text


@dataclass(frozen=True, slots=True)
class Device:
    """One browser of `owner`, as it has subscribed (RFC 8030, RFC 8291).

    `endpoint` is the address at its push service, `p256dh` and `auth` its keys in base64url; whoever has all three can
    write to it, so none is ever shown. `language` is that of the pages it was subscribed from.
    """

    endpoint: str
    owner: str
    p256dh: str
    auth: str
    language: str


class PushStore(Protocol):
    async def keep(self, device: Device) -> None:
        """Keep it, in place of what was known of the same endpoint: a browser belongs to who used it last."""

    async def of(self, owner: str) -> Sequence[Device]:
        """All browsers of `owner`."""

    async def drop(self, endpoint: str) -> None:
        """Forget it; nothing happens if it is gone."""

    async def hand_over(self, owner: str, heir: str) -> None:
        """The browsers of `owner` are those of `heir` from now on."""

    async def forget(self, owner: str) -> None:
        """Forget all of `owner`."""


def to_document(device: Device) -> Mapping[str, str]:
    return {
        "_id": device.endpoint,
        "owner": device.owner,
        "p256dh": device.p256dh,
        "auth": device.auth,
        "language": device.language,
    }


def device_of(document: Fields) -> Device:
    """The browser of a document. Raises as `fields` says."""
    return Device(*(text(document, name) for name in ("_id", "owner", "p256dh", "auth", "language")))
