"""What a store keeps of seek alerts: which are active, and when each owner was last notified. Knows no engine.

All times are ms since the epoch.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from server.games.seek import Seek
from server.games.seek_alert import SeekAlert
from server.games.speed import Speed
from server.storage.fields import Fields, flag, instant, text

MAX_NOTIFIED = 200
"""For one opponent; they play only one of them."""


class AlertStore(Protocol):
    async def add(self, alert: SeekAlert) -> None:
        """Raises Duplicate, Unavailable."""

    async def of(self, owner: str, now: int) -> Sequence[SeekAlert]:
        """Those of `owner` that stand at `now`, the one that ends first first."""

    async def answering(self, seek: Seek, now: int) -> Sequence[SeekAlert]:
        """Those that stand at `now` and whose owners would take `seek` and may, MAX_NOTIFIED at most.

        The one that ends last comes first: who left their alert lately most likely still wants it. Nobody answers their
        own seek, and rated ones only who is registered.
        """

    async def remove(self, alert_id: str, owner: str) -> bool:
        """End it, if it is theirs. Was it there?"""

    async def claim_notification(self, owner: str, now: int, since: int) -> bool:
        """May `owner` be notified at `now`? Only if they were not notified after `since`; then they count as notified.

        Of several servers that ask at once, one is told yes.
        """

    async def expire(self, now: int, notified_before: int) -> None:
        """Forget alerts that have ended at `now`, and notifications sent before `notified_before`."""

    async def hand_over(self, owner: str, heir: str) -> None:
        """What stands of `owner` is of `heir` from now on, who is registered. Done again it does nothing more."""

    async def forget(self, owner: str) -> None:
        """Nothing is kept of `owner` any more."""


def to_document(alert: SeekAlert) -> Mapping[str, int | str]:
    """Flat, of ints and strings only, as every engine speaks them."""
    return {
        "_id": alert.id,
        "owner": alert.owner,
        "registered": int(alert.registered),
        "variants": " ".join(alert.variants),
        "speeds": " ".join(alert.speeds),
        "until": alert.until,
    }


def alert_of(document: Fields) -> SeekAlert:
    """The alert of a document. Raises as `fields` says."""
    return SeekAlert(
        id=text(document, "_id"),
        owner=text(document, "owner"),
        registered=flag(document, "registered"),
        variants=tuple(text(document, "variants").split()),
        speeds=tuple(map(Speed, text(document, "speeds").split())),
        until=instant(document, "until"),
    )
