"""What a store notes of each game that was taken in from a file: when, how long it is, and who brought it.

By this an import is bounded also after a restart, and the host can delete by age and by person. Knows no engine.
The note goes with its game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from server.storage.fields import Fields, instant, number, text

MAX_PLIES = 10**6
"""No game in a file that is taken can be charged for more: such a note was damaged, and does not count."""


@dataclass(frozen=True, slots=True)
class ImportNote:
    """`at` is ms since the epoch. `plies`: the half-moves that it was charged for. `user`: the id of who brought it;
    `place`: a mark of where they were.

    Neither `user` nor `place` is known ("") of games that were taken in before there were notes.
    """

    game: str
    at: int
    plies: int
    user: str
    place: str


def import_note_of(fields: Fields) -> ImportNote:
    """The note of stored fields. Raises as `fields` says."""
    user, place = text(fields, "user"), text(fields, "place")
    plies = number(fields, "plies")
    if not 0 <= plies <= MAX_PLIES:
        raise ValueError("plies is beyond reason")
    return ImportNote(text(fields, "game"), instant(fields, "at"), plies, user, place)


@dataclass(frozen=True, slots=True)
class Allowance:
    """How many half-moves one person, and one place, may bring from the instant `since` (ms) on."""

    since: int
    by_user: int
    by_place: int


class ImportStore(Protocol):
    """All of it raises Unavailable."""

    async def admit(self, note: ImportNote, allowance: Allowance) -> bool:
        """Note the game, unless its person or place would then have had more than they may; a noted one stays.

        Of several that come at once, through any servers, no more are admitted than there is room for.
        """

    async def note(self, notes: Sequence[ImportNote]) -> None:
        """Noting a game again changes nothing."""

    async def plies_of_user(self, user: str, since: int) -> int:
        """The half-moves of all games that this person has brought since then (ms)."""

    async def plies_of_place(self, place: str, since: int) -> int:
        """The same for a place."""

    async def of_games(self, games: Sequence[str]) -> Mapping[str, ImportNote]:
        """The notes of those of the games that have one that can be read, by their ids."""
