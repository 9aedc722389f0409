"""Seek alerts in a store: which are active, and when each owner was last notified.

All times are ms since the epoch.
"""

from collections.abc import Sequence
from typing import Final

from server.games.clocks.time_control import Speed, speed_of
from server.games.seeks import MAX_ALERTS, Seek, SeekAlert
from server.storage.fields import Fields, flag, flat, instant, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.quotas import QUOTAS, Quota, QuotaStore
from server.storage.tables.table import KEY, AnyWord, NoneOf, OwnedTableStore, Table, at_least, below

MAX_NOTIFIED = 200
"""People notified of one seek, whose maker plays only one of them."""


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


ALERTS: Final = RecordKind(
    "alerts",
    typed_fields("_id owner #registered variants speeds #until"),
    indexes=("owner until", "until-"),
    read=alert_of,
    people=("owner",),
)
NOTIFICATIONS: Final = RecordKind("calls", typed_fields("owner #at"), read=lambda one: instant(one, "at"))


class AlertStore(OwnedTableStore):
    """Alerts, and when people were notified of a seek."""

    kinds = (ALERTS, QUOTAS, NOTIFICATIONS)

    def __init__(self, table: Table, quotas: Table, notifications: Table) -> None:
        super().__init__(table)
        self._quotas = QuotaStore(quotas)
        self._notifications = notifications

    async def add_alert(self, alert: SeekAlert, now: int) -> bool:
        """Stores it, in place of the one with its id. False: its owner has MAX_ALERTS others, active at `now` (ms)."""
        record, active = flat(alert, key="id"), at_least(now + 1)
        to = {name: value for name, value in record.items() if name != KEY}
        new = not await self._table.set(to, _id=alert.id, owner=alert.owner, until=active)
        if new:
            await self._table.put(record)
        quota = Quota(alert.owner, "alerts", MAX_ALERTS)
        return await self._quotas.admit_record(
            quota, self._table, alert.id, now, "until _id", new=new, owner=alert.owner, until=active
        )

    async def alerts_of(self, owner: str, now: int) -> Sequence[SeekAlert]:
        """The alerts of `owner` that are active at `now`, by their end."""
        return await self._table.read(alert_of, "until", owner=owner, until=at_least(now + 1))

    async def alerts_for(self, seek: Seek, now: int) -> Sequence[SeekAlert]:
        """Active alerts whose owners would and may take `seek`, at most MAX_NOTIFIED.

        Those that end last come first: a recent alert is most likely still wanted. A maker's own alerts do not match,
        and seeks of rated games, or with a range of ratings, match alerts of registered players only.
        """
        return await self._table.read(
            *(alert_of, "until-", MAX_NOTIFIED),
            until=at_least(now + 1),
            owner=NoneOf(frozenset({seek.maker.player.id})),
            registered=at_least(int(seek.rated or seek.has_range)),
            speeds=AnyWord(frozenset({speed_of(seek.control)})),
            variants=AnyWord(frozenset(seek.variants)) if seek.variants else NoneOf(frozenset()),
        )

    async def remove_alert(self, alert_id: str, owner: str) -> bool:
        """Removes an alert of `owner`. Did it exist?"""
        return await self._table.delete(_id=alert_id, owner=owner) > 0

    async def claim_notification(self, owner: str, now: int, since: int) -> bool:
        """May `owner` be notified at `now`? If not notified since `since`, yes, and they now count as notified.

        If several servers ask at once, one gets True.
        """
        if await self._notifications.set({"at": now}, _id=owner, at=below(since + 1)):
            return True
        return await self._notifications.add_if_new({"_id": owner, "at": now})

    async def expire(self, now: int, notified_before: int) -> None:
        """Deletes alerts that have ended by `now`, and notifications sent before `notified_before`."""
        await self._table.write(
            self._table.delete_step(until=below(now + 1)), self._notifications.delete_step(at=below(notified_before))
        )

    async def hand_over(self, owner: str, heir: str) -> None:
        """Passes the alerts of `owner` to `heir`, who is registered and keeps the MAX_ALERTS that end last.

        Repeating it changes nothing.
        """
        await self._table.set({"owner": heir, "registered": 1}, owner=owner)
        found = await self._table.find("until- _id", only=("until",), owner=heir)
        if old := frozenset(str(one["_id"]) for one in found[MAX_ALERTS:]):
            await self._table.delete(_id=old, owner=heir)

    async def forget(self, owner: str) -> None:
        """Deletes everything of `owner`."""
        await self._table.write(self._table.delete_step(owner=owner), self._notifications.delete_step(_id=owner))
