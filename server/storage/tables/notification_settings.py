"""How people with an account want to be told what concerns them, in a store. At each mail address: see `addresses`."""

from dataclasses import dataclass
from typing import Final

from server.storage.fields import Fields, flat, number, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import TableStore

MINUTES_A_DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class NotificationSettings:
    """What the user `owner` has chosen. Nobody else is shown it.

    `zone`: the name of their time zone, "": they have chosen none. `quiet_from`, `quiet_until`: minutes of the day
    there between which nothing is told; the same twice: there are none. `silent`: what web push does not tell at once,
    as `server.mail.wishes` writes it: "turn" never, "turn:hourly" at full hours.
    """

    owner: str
    zone: str = ""
    quiet_from: int = 0
    quiet_until: int = 0
    silent: tuple[str, ...] = ()


def notification_settings_of(document: Fields) -> NotificationSettings:
    """What a document says. Raises as `fields` says."""
    return NotificationSettings(
        owner=text(document, "_id"),
        zone=text(document, "zone"),
        quiet_from=number(document, "quiet_from") % MINUTES_A_DAY,
        quiet_until=number(document, "quiet_until") % MINUTES_A_DAY,
        silent=tuple(text(document, "silent").split()),
    )


NOTIFICATION_SETTINGS: Final = RecordKind(
    "how_told", typed_fields("_id zone #quiet_from #quiet_until silent"), read=notification_settings_of
)


class NotificationSettingsStore(TableStore):
    """What people have chosen, by their ids."""

    kinds = (NOTIFICATION_SETTINGS,)

    async def keep(self, how: NotificationSettings) -> None:
        """Stores what somebody has chosen, instead of what they had."""
        await self._table.put(flat(how, key="owner"))

    async def of(self, owner: str) -> NotificationSettings:
        """What `owner` has chosen, or what holds for those who have not."""
        return next(iter(await self._table.read(notification_settings_of, _id=owner)), NotificationSettings(owner))

    async def forget(self, owner: str) -> None:
        """Deletes what `owner` has chosen."""
        await self._table.delete(_id=owner)
