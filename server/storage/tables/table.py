"""A table of flat records, as every engine has it. Knows no kind of record."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeAlias, TypeVar

from server.storage.damage import Damage
from server.storage.fields import Fields, FlatRecord
from server.storage.record_kinds import RecordKind

Made = TypeVar("Made")
Condition: TypeAlias = int | str | range | frozenset[str]
"""What a field must be: that value, a number in that range, or one of those."""


class Table(ABC):
    """The records of one kind. `_id` is the field that tells them apart, whatever it is called in the kind.

    `where` says what the fields must be of the records that are meant, all of them if it is empty. What is written is
    durable on return. All methods raise Unavailable.
    """

    def __init__(self, kind: RecordKind, damage: Damage) -> None:
        self.kind = kind
        self.damage = damage

    @abstractmethod
    async def add(self, record: FlatRecord) -> None:
        """Raises Duplicate too."""

    @abstractmethod
    async def add_if_new(self, record: FlatRecord) -> None:
        """Changes nothing if there is one with that key."""

    @abstractmethod
    async def put(self, *records: FlatRecord) -> None:
        """Stores each instead of the one with its key, if there is one."""

    @abstractmethod
    async def set(self, to: FlatRecord, **where: Condition) -> int:
        """Gives fields these values. How many records are meant?"""

    @abstractmethod
    async def delete(self, **where: Condition) -> int:
        """How many records were meant?"""

    @abstractmethod
    async def find(self, order: str = "", limit: int = 0, **where: Condition) -> Sequence[Fields]:
        """The fields of those records. `order`: by which fields, those with a minus descending. `limit`: 0 for none."""

    async def read(
        self, read: Callable[[Fields], Made], order: str = "", limit: int = 0, **where: Condition
    ) -> list[Made]:
        """The same as what `read` makes of them; those that it cannot read are noted, and left out."""
        return self.damage.readable(self.kind.name, await self.find(order, limit, **where), read)


class TableStore:
    """A part of a store that is one table. All methods raise Unavailable."""

    def __init__(self, table: Table) -> None:
        self._table = table


class OwnedTableStore(TableStore):
    """One whose records each belong to an `owner`."""

    async def forget(self, owner: str) -> None:
        """Deletes all that belongs to `owner`."""
        await self._table.delete(owner=owner)
