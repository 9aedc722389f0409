"""Mails whose commands have been begun, in a store, by which one that the mail server hands over again is recognised.

A mail is noted before its commands are executed, so that no crash makes it seem new.
"""

from typing import Final

from server.storage.fields import Fields, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import OwnedTableStore


def _owner_of(note: Fields) -> str:
    return text(note, "owner")


RECEIVED_MAIL: Final = RecordKind(
    "received_mail", typed_fields("_id owner #at"), indexes=("owner", "at"), read=_owner_of, people=("owner",)
)


class ReceivedMailStore(OwnedTableStore):
    """Notes of mails, by their keys."""

    kinds = (RECEIVED_MAIL,)

    async def note_mail(self, mail: str, owner: str, at: int) -> bool:
        """Notes that the user `owner` has written the mail with that key, and its commands are begun, at `at` (ms).

        False, and nothing is changed, if it has been noted before.
        """
        return await self._table.add_if_new({"_id": mail, "owner": owner, "at": at})

    async def owner_of_mail(self, mail: str) -> str | None:
        """The user who has written it; None: it has not been noted."""
        return next(iter(await self._table.read(_owner_of, _id=mail)), None)

    async def expire(self, before: int) -> None:
        """Removes notes from before that instant (ms)."""
        await self._table.delete(at=range(before))
