"""Notes in a store: what somebody has written for themselves about another person or about a game.

Nobody else is shown it. All times are ms since the epoch.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from server.games.people import LONGEST_NOTE, MAX_NOTES
from server.storage.fields import Fields, flat, instant, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.quotas import QUOTAS, Quota, QuotaStore
from server.storage.tables.table import KEY, OwnedTableStore, Table


@dataclass(frozen=True, slots=True)
class Note:
    """The user `owner` has written `text` about `person` or about `game`, ids of which one is "", at `at`."""

    owner: str
    person: str
    game: str
    text: str
    at: int

    @property
    def key(self) -> str:
        return key_of(self.owner, self.person, self.game)


def key_of(owner: str, person: str, game: str) -> str:
    """The key of the only note of `owner` about that person, or that game."""
    return f"{owner} person {person}" if person else f"{owner} game {game}"


def note_of(fields: Fields) -> Note:
    """The note of stored fields. Raises as `fields` says."""
    owner, person, game, said = (text(fields, name) for name in ("owner", "person", "game", "text"))
    return Note(owner, person, game, said, instant(fields, "at"))


NOTES: Final = RecordKind(
    "notes",
    typed_fields("_id owner person game text #at"),
    indexes=("owner", "person", "game"),
    read=note_of,
    people=("owner",),
)


class NoteStore(OwnedTableStore):
    """What people have written for themselves."""

    kinds = (NOTES, QUOTAS)

    def __init__(self, table: Table, quotas: Table) -> None:
        super().__init__(table)
        self._quotas = QuotaStore(quotas)

    async def keep_note(self, note: Note) -> bool:
        """Stores it instead of what its owner wrote there before; an empty one leaves none. False: they have MAX_NOTES
        others, and it is not stored.
        """
        if not note.text:
            await self._table.delete(_id=note.key)
            return True
        new = not await self._table.set({"text": note.text, "at": note.at}, _id=note.key)
        if new:
            await self._table.put({KEY: note.key, **flat(note)})
        quota = Quota(note.owner, "notes", MAX_NOTES)
        admitted = await self._quotas.admit_record(
            quota, self._table, note.key, note.at, "at _id", new=new, owner=note.owner
        )
        # Who has more, since two accounts became one, changes what they have.
        return admitted or (not new and await self._table.count(_id=note.key) > 0)

    async def text_of(self, owner: str, *, person: str = "", game: str = "") -> str:
        """What `owner` has written about that person, or that game; "" for nothing."""
        found = await self._table.read(note_of, _id=key_of(owner, person, game))
        return found[0].text if found else ""

    async def notes_of(self, owner: str) -> Sequence[Note]:
        """All notes of `owner`, the oldest first."""
        return await self._table.read(note_of, "at _id", owner=owner)

    async def hand_over(self, user: str, heir: str) -> None:
        """Makes `heir` the owner of the notes of `user`; what both wrote about the same stands in one note, as far as
        there is room. Repeating it changes nothing.
        """
        if user == heir:
            return
        for theirs in await self.notes_of(user):
            after = replace(theirs, owner=heir)
            own = await self.text_of(heir, person=after.person, game=after.game)
            if theirs.text not in own:
                both = f"{own}\n\n{theirs.text}" if own else theirs.text
                after = replace(after, text=both[:LONGEST_NOTE])
                await self._table.put({KEY: after.key, **flat(after)})
            # Last: a crash in between must lose none, and it is done again.
            await self._table.delete(_id=theirs.key)

    async def forget(self, person: str) -> None:
        """Deletes the notes of this person, and those about them."""
        await self._table.delete(owner=person)
        await self._table.delete(person=person)
