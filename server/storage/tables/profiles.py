"""What people with an account say about themselves on their page, in a store."""

from dataclasses import dataclass
from typing import Final

from server.storage.fields import Fields, flat, instant, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import OwnedTableStore


@dataclass(frozen=True, slots=True)
class ProfileText:
    """The user `owner` has written `text` about themselves, at `at` (ms)."""

    owner: str
    text: str
    at: int


def profile_text_of(document: Fields) -> ProfileText:
    """What a document says. Raises as `fields` says."""
    return ProfileText(text(document, "_id"), text(document, "text"), instant(document, "at"))


PROFILES: Final = RecordKind("profiles", typed_fields("_id text #at"), read=profile_text_of, people=("_id",))


class ProfileStore(OwnedTableStore):
    """What people say about themselves, by their ids."""

    kinds = (PROFILES,)

    async def keep_text(self, written: ProfileText) -> None:
        """Stores it instead of what its owner said before; an empty text leaves none."""
        if written.text:
            await self._table.put(flat(written, key="owner"))
        else:
            await self.forget(written.owner)

    async def text_of(self, owner: str) -> str:
        """What `owner` says about themselves, "" for nothing."""
        found = await self._table.read(profile_text_of, _id=owner)
        return found[0].text if found else ""

    async def forget(self, owner: str) -> None:
        """Deletes what `owner` has said."""
        await self._table.delete(_id=owner)
