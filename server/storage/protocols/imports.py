"""Notes about imported games in a store: when, how long, and by whom.

They keep the limits on imports across restarts, and let the host delete by age and person. A note is deleted with its
game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from server.storage.fields import Fields, instant, number, text

MAX_PLIES = 10**6
"""No imported game is charged for more: such a note is damaged and does not count."""


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


def import_note_of(fields: Fields) -> ImportNote:
    """The note of stored fields. Raises as `fields` says."""
    user, place = text(fields, "user"), text(fields, "place")
    plies = number(fields, "plies")
    if not 0 <= plies <= MAX_PLIES:
        raise ValueError("plies is beyond reason")
    return ImportNote(text(fields, "game"), instant(fields, "at"), plies, user, place)


@dataclass(frozen=True, slots=True)
class ImportAllowance:
    """How many half-moves one user, and one place, may import from `since` (ms) on."""

    since: int
    by_user: int
    by_place: int


class ImportStore(Protocol):
    """All methods raise Unavailable."""

    async def admit(self, note: ImportNote, allowance: ImportAllowance) -> bool:
        """Notes the game unless it exceeds the allowance of its user or place. A game already noted is admitted.

        The limits hold however many come at once, through whichever server.
        """

    async def note(self, notes: Sequence[ImportNote]) -> None:
        """Notes games. Repeating it changes nothing."""

    async def plies_of_user(self, user: str, since: int) -> int:
        """The half-moves that this user has imported since then (ms)."""

    async def plies_of_place(self, place: str, since: int) -> int:
        """The half-moves imported from that place since then (ms)."""

    async def of_games(self, games: Sequence[str]) -> Mapping[str, ImportNote]:
        """The readable notes of these games, by id."""
