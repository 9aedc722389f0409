"""Seek alerts in a store: which are active, and when each owner was last notified.

All times are ms since the epoch.
"""

from collections.abc import Sequence
from typing import Protocol

from server.games.clocks.speed import Speed
from server.games.seeks.seek import Seek
from server.games.seeks.seek_alert import SeekAlert
from server.storage.fields import Fields, FlatRecord, flag, flat, instant, text

MAX_NOTIFIED = 200
"""People notified of one seek, whose maker plays only one of them."""


class AlertStore(Protocol):
    async def add(self, alert: SeekAlert) -> None:
        """Raises Duplicate, Unavailable."""

    async def of(self, owner: str, now: int) -> Sequence[SeekAlert]:
        """The alerts of `owner` that are active at `now`, by their end."""

    async def answering(self, seek: Seek, now: int) -> Sequence[SeekAlert]:
        """Active alerts whose owners would and may take `seek`, at most MAX_NOTIFIED.

        Those that end last come first: a recent alert is most likely still wanted. A maker's own alerts do not match,
        and rated seeks match alerts of registered players only.
        """

    async def remove(self, alert_id: str, owner: str) -> bool:
        """Removes an alert of `owner`. Did it exist?"""

    async def claim_notification(self, owner: str, now: int, since: int) -> bool:
        """May `owner` be notified at `now`? If not notified since `since`, yes, and they now count as notified.

        If several servers ask at once, one gets True.
        """

    async def expire(self, now: int, notified_before: int) -> None:
        """Deletes alerts that have ended by `now`, and notifications sent before `notified_before`."""

    async def hand_over(self, owner: str, heir: str) -> None:
        """Passes the alerts of `owner` to `heir`, who is registered. Repeating it changes nothing."""

    async def forget(self, owner: str) -> None:
        """Deletes everything of `owner`."""


def to_document(alert: SeekAlert) -> FlatRecord:
    """The alert as a flat document of ints and strings."""
    return flat(alert, key="id")


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
