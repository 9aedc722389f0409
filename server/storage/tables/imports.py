"""Notes about imported games in a store: when, how long, and by whom.

They keep the limits on imports across restarts, and let the host delete by age and person. A note is deleted with its
game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from server.storage.fields import Fields, flat, instant, number, text
from server.storage.record_kinds import RecordKind, typed_fields
from server.storage.tables.table import TableStore, at_least

MAX_PLIES: Final = 10**6
"""No imported game is charged for more: such a note is damaged and does not count."""
PLIES: Final = ("plies",)


@dataclass(frozen=True, slots=True)
class ImportNote:
    """`at`: ms since the epoch. `plies`: half-moves charged. `user`: id of the importer; `place`: their network.

    `user` and `place` are "" for games imported before there were notes.
    """

    game: str
    at: int
    plies: int
    user: str
    place: str


@dataclass(frozen=True, slots=True)
class ImportAllowance:
    """How many half-moves one user, and one place, may import from `since` (ms) on."""

    since: int
    by_user: int
    by_place: int


def import_note_of(document: Fields) -> ImportNote:
    """The note of a document. Raises as `fields` says."""
    user, place = text(document, "user"), text(document, "place")
    plies = number(document, "plies")
    if not 0 <= plies <= MAX_PLIES:
        raise ValueError("plies is beyond reason")
    return ImportNote(text(document, "_id"), instant(document, "at"), plies, user, place)


IMPORTS: Final = RecordKind(
    "imports",
    typed_fields("game #at #plies user place"),
    indexes=("user at", "place at"),
    read=lambda one: import_note_of({**one, "_id": one["game"]}),
)


class ImportStore(TableStore):
    """Notes of imported games."""

    kinds = (IMPORTS,)

    async def admit_import(self, note: ImportNote, allowance: ImportAllowance) -> bool:
        """Notes the game unless it exceeds the allowance of its user or place. A game already noted is admitted.

        The limits hold however many come at once, through whichever server.
        """
        if not await self._table.add_if_new(flat(note, key="game")):
            return True
        # Counted after noting: if two note at once, at least one of them sees both, and backs out.
        by_user = await self.plies_of_user(note.user, allowance.since)
        by_place = await self.plies_of_place(note.place, allowance.since)
        if by_user <= allowance.by_user and by_place <= allowance.by_place:
            return True
        await self._table.delete(_id=note.game)
        return False

    async def note_imports(self, notes: Sequence[ImportNote]) -> None:
        """Notes games. Repeating it changes nothing."""
        await self._table.write(*(self._table.add_if_new_step(flat(note, key="game")) for note in notes))

    async def plies_of_user(self, user: str, since: int) -> int:
        """The half-moves that this user has imported since then (ms)."""
        return _plies(await self._table.find(only=PLIES, user=user, at=at_least(since)))

    async def plies_of_place(self, place: str, since: int) -> int:
        """The half-moves imported from that place since then (ms)."""
        return _plies(await self._table.find(only=PLIES, place=place, at=at_least(since)))

    async def notes_of_games(self, games: Sequence[str]) -> Mapping[str, ImportNote]:
        """The readable notes of these games, by id."""
        notes = await self._table.read(import_note_of, _id=frozenset(games))
        return {one.game: one for one in notes}


def _plies(found: Sequence[Fields]) -> int:
    """The half-moves of notes; those of one day are few, as that is what the limit is for."""
    plies = (one.get("plies") for one in found)
    return sum(int(one) for one in plies if isinstance(one, int) and 0 <= one <= MAX_PLIES)
