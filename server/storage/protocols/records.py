"""Everything in a store as flat records and games, whatever the engine: for moving a site, and for checking it."""

from collections.abc import AsyncIterator, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from server.storage.documents import Document
from server.storage.fields import FlatRecord
from server.storage.protocols.archive import ArchiveEntry
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
