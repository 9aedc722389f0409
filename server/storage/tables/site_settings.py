"""What the host has changed of the site while it runs, in a store: one record. As that of the desk, it has the line of
its last change with it, and each change first files that of the one before, in case a crash kept it from the log.
"""

import json
from dataclasses import asdict
from typing import Final

from server.games.desk import DeskEntry
from server.games.joining import Guests, Joining, SignUp
from server.games.site_settings import PLAIN_HOUSE, RETENTIONS, USUAL, House, SiteSettings
from server.storage.fields import Fields, FlatRecord, number, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.desk import DESK_LOG, ENTRY, THE_ONE, last_entry_of, to_fields
from server.storage.tables.table import Step, Table, TableStore


def settings_of(fields: Fields) -> SiteSettings:
    """The settings of stored fields, without what this release does not know. Raises as `fields` says."""
    chosen = json.loads(text(fields, "chosen"))
    joining = Joining(
        SignUp(chosen.get("sign_up", USUAL.sign_up)),
        Guests(chosen.get("guests", USUAL.guests)),
        str(chosen.get("question", USUAL.question)),
    )
    lead, contact, imprint, privacy = (str(chosen.get(name, "")) for name in ("lead", "contact", "imprint", "privacy"))
    aborted, chat, imports = (int(chosen.get(name, getattr(PLAIN_HOUSE, name))) for name in RETENTIONS)
    house = House(
        *(lead, contact, imprint, privacy),
        bots_rated=bool(chosen.get("bots_rated", False)),
        backups_kept=int(chosen.get("backups_kept", 0)),
        aborted_kept_days=aborted,
        chat_kept_days=chat,
        imports_kept_days=imports,
        name=str(chosen.get("name", "")),
        accent=str(chosen.get("accent", "")),
        chat=bool(chosen.get("chat", True)),
        languages=tuple(map(str, chosen.get("languages", ()))),
        variants=tuple(map(str, chosen.get("variants", ()))),
    )
    return SiteSettings(joining, house, number(fields, "rev"))


def to_document(settings: SiteSettings, entry: DeskEntry) -> FlatRecord:
    """The settings with the line of their last change as a record."""
    joining = settings.joining
    chosen: dict[str, object] = {"sign_up": joining.sign_up, "guests": joining.guests, "question": joining.question}
    chosen |= asdict(settings.house)
    return {
        "_id": THE_ONE,
        "chosen": json.dumps(chosen, ensure_ascii=False),
        "rev": settings.rev,
        "entry": entry.id,
        **to_fields(entry),
    }


def _read_settings(fields: Fields) -> tuple[SiteSettings, DeskEntry]:
    return settings_of(fields), last_entry_of(fields)


SITE_SETTINGS: Final = RecordKind("site_settings", typed_fields(f"_id chosen #rev entry {ENTRY}"), read=_read_settings)


class SiteSettingsStore(TableStore):
    """The settings, and the log of the desk."""

    kinds = (SITE_SETTINGS, DESK_LOG)

    def __init__(self, table: Table, log: Table) -> None:
        super().__init__(table)
        self._log = log

    async def read(self) -> SiteSettings:
        """The settings as they are now. Raises Unreadable, Unavailable."""
        return await self._table.read_one(settings_of, THE_ONE) or SiteSettings()

    async def change(self, before: SiteSettings, after: SiteSettings, entry: DeskEntry) -> bool:
        """Stores `after`, which differs from `before` by what `entry` says. False: it was not `before` any more."""
        await self.file_last()
        record = to_document(after, entry)
        first = self._table.replace_step(record) if before.rev else self._table.add_if_new_step(record)
        return await self._table.write_if(first, self._entry_step(entry))

    async def file_last(self) -> None:
        """Writes the line of the last change into the log, if it is not there."""
        for entry in await self._table.read(last_entry_of, _id=THE_ONE):
            await self._log.write(self._entry_step(entry))

    def _entry_step(self, entry: DeskEntry) -> Step:
        return self._log.add_if_new_step({"_id": entry.id, **to_fields(entry)})
