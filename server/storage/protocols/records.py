"""Everything in a store as flat records and games, whatever the engine: for moving a site and for checking
it; and deleting games, and how long they are kept.
"""

from collections.abc import AsyncIterator, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from server.games.clocks.time_control import DAY_MS
from server.storage.damage import WRONG
from server.storage.documents import Document, Head
from server.storage.fields import FlatRecord, number, text
from server.storage.protocols.archive import NO_GAME, ArchiveEntry
from server.storage.record_kinds import RecordKind

AT_ONCE = 500
"""Records in memory at a time."""


@dataclass(frozen=True, slots=True)
class UnreadableRecord:
    """A stored record that cannot be read."""

    key: str
    why: str


class RecordStore(Protocol):
    """Everything in the store as records, while nobody plays on it. All methods raise Unavailable."""

    def records(self, kind: RecordKind) -> AsyncIterator[Sequence[FlatRecord | UnreadableRecord]]:
        """All records of a kind, in batches of at most AT_ONCE; chat lines in order."""

    def games(self) -> AsyncIterator[Sequence[Document | UnreadableRecord]]:
        """All games, in the same batches."""

    async def known(self, kind: str, keys: Set[str]) -> set[str]:
        """Those of `keys` that exist."""

    async def add(self, kind: RecordKind, records: Sequence[FlatRecord]) -> None:
        """Adds records. Raises Duplicate too."""

    async def add_games(self, games: Sequence[tuple[Document, ArchiveEntry | None]]) -> None:
        """Adds games, each with its archive entry. Raises Duplicate too."""

    async def clear(self) -> None:
        """Deletes everything."""


@dataclass(frozen=True, slots=True)
class Retention:
    """How many days games without result, the chat of finished games, and imported games are kept; 0: for ever."""

    aborted_days: int
    chat_days: int
    imports_days: int = 0

    def drops_game(self, head: Head, now: int) -> bool:
        """Was the game aborted, declined or never begun long enough before `now` (ms)? Damaged games stay."""
        return _over_for(head, now, self.aborted_days) and text(head, "reason") in NO_GAME

    def drops_chat(self, head: Head, now: int) -> bool:
        """Has the game been over for long enough at `now` (ms)? Damaged games keep theirs."""
        return _over_for(head, now, self.chat_days)

    def drops_import(self, taken_in: int, now: int) -> bool:
        """Was the game imported long enough ago? Both in ms."""
        return self.imports_days > 0 and taken_in < now - self.imports_days * DAY_MS


def is_imported(head: Head) -> bool:
    """Is it an imported game? False if that field is damaged."""
    return head.get("imported") == 1


def _over_for(head: Head, now: int, days: int) -> bool:
    try:
        over = text(head, "status") == "over" and bool(text(head, "reason"))
        return days > 0 and over and number(head, "ended") < now - days * DAY_MS
    except WRONG:
        return False


class DeletionStore(Protocol):
    """All methods raise Unavailable."""

    async def heads(self, after: str, limit: int) -> Sequence[tuple[str, Head]]:
        """Up to `limit` ids after `after` and their heads, in order; {} for an unreadable head."""

    async def delete_games(self, games: Sequence[str]) -> None:
        """Deletes games, with their chat and entries in lists. Their effect on ratings stays."""

    async def delete_chat(self, games: Sequence[str]) -> None:
        """Deletes the chat of these games."""
