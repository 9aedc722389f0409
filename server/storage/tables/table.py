"""A table of flat records, the same on every engine, and the stores that are made of tables. Knows no kind of record.

What takes several changes is written as steps in an order (`Table.write`). SQLite carries them out in one transaction;
MongoDB one after another, so a crash may leave out the last ones. Choose an order in which that harms nobody, and which
repeating completes.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal, TypeAlias, TypeVar

from server.storage.damage import Damage
from server.storage.fields import Fields, FlatRecord
from server.storage.record_kinds import INT64, RecordKind

Made = TypeVar("Made")
KEY: Final = "_id"


@dataclass(frozen=True, slots=True)
class NoneOf:
    """A condition: the text is none of these."""

    texts: frozenset[str]


@dataclass(frozen=True, slots=True)
class After:
    """A condition: the text comes after this one in the order of code points."""

    text: str


@dataclass(frozen=True, slots=True)
class AnyWord:
    """A condition: one of these is among the words of the text, which spaces separate, or it has no words."""

    words: frozenset[str]


Condition: TypeAlias = int | str | range | frozenset[str] | NoneOf | After | AnyWord
"""What a field must be: that value, a number in that range, one of those texts, or as the others say."""
Where: TypeAlias = Mapping[str, Condition]
"""Conditions by field."""


def at_least(number: int) -> range:
    """The condition that a field is `number` or more."""
    return range(number, INT64[-1])


def below(number: int) -> range:
    """The condition that a field is less than `number`."""
    return range(INT64.start, number)


def is_met(condition: Condition, value: int | str) -> bool:
    """Does a field with that value meet the condition?"""
    match condition:
        case range() | frozenset():
            return value in condition
        case NoneOf():
            return value not in condition.texts
        case After():
            return isinstance(value, str) and value > condition.text
        case AnyWord():
            return value == "" or bool(condition.words & set(str(value).split()))
    return value == condition


@dataclass(frozen=True, slots=True)
class Step:
    """A change of the records of one kind, as `Table` makes it for `write` and `write_if`.

    `record`: what is stored; of "set", the new values. `where`: which records are changed or deleted.
    """

    kind: RecordKind
    change: Literal["add", "add_if_new", "put", "set", "delete"]
    record: FlatRecord = field(default_factory=dict)
    where: Where = field(default_factory=dict)


class TableEngine(ABC):
    """Where tables are kept. What is written is durable on return. All methods raise Unavailable."""

    @abstractmethod
    async def write(self, steps: Sequence[Step], only_if_first: bool) -> int:
        """Carries out the steps in order. How many records has the first stored, or did it mean?

        `only_if_first`: if that is none, the others are not carried out. Raises Duplicate, after which SQLite has
        carried out none of them, MongoDB those before.
        """

    @abstractmethod
    async def settle(self, mark: Step, steps: Sequence[Step]) -> None:
        """See `Table.settle`."""

    @abstractmethod
    async def find(
        self, kind: RecordKind, where: Where, order: str, limit: int, only: Sequence[str]
    ) -> Sequence[Fields]:
        """See `Table.find`."""

    @abstractmethod
    async def count(self, kind: RecordKind, where: Where) -> int:
        """How many records are meant?"""


class Table:
    """The records of one kind. `_id` is the field that tells them apart, whatever it is called in the kind.

    `where` says what the fields must be of the records that are meant, all of them if it is empty. All methods raise
    Unavailable.
    """

    def __init__(self, engine: TableEngine, damage: Damage, kind: RecordKind) -> None:
        self.kind = kind
        self.damage = damage
        self._engine = engine

    async def add(self, record: FlatRecord) -> None:
        """Raises Duplicate too."""
        await self.write(self.add_step(record))

    async def add_if_new(self, record: FlatRecord) -> bool:
        """Changes nothing if there is one with that key. Was there none?"""
        return await self.write_if(self.add_if_new_step(record))

    async def put(self, *records: FlatRecord) -> None:
        """Stores each instead of the one with its key, if there is one."""
        await self.write(*map(self.put_step, records))

    async def set(self, to: FlatRecord, **where: Condition) -> int:
        """Sets these fields of the matching records; returns how many matched.

        Each record is changed by one compare-and-set: of concurrent callers whose condition is on what they change,
        one finds the record.
        """
        return await self._engine.write([self.set_step(to, **where)], only_if_first=False)

    async def replace(self, record: FlatRecord) -> bool:
        """Stores it instead of the one with its key and the revision (`rev`) before. Was that there?"""
        return await self.write_if(self.replace_step(record))

    async def delete(self, **where: Condition) -> int:
        """How many records were meant?"""
        return await self._engine.write([self.delete_step(**where)], only_if_first=False)

    async def write(self, *steps: Step) -> None:
        """Carries out steps in order, which may be of other tables of the same store. Raises Duplicate too."""
        if steps:
            await self._engine.write(steps, only_if_first=False)

    async def write_if(self, first: Step, *others: Step) -> bool:
        """Carries out `first`, and if it stored or meant a record, `others` in order. Did it?"""
        return await self._engine.write((first, *others), only_if_first=True) > 0

    async def settle(self, mark: Step, *steps: Step) -> None:
        """Carries out `steps` in order, which were due as long as `mark` means a record; `mark` ends that.

        Does nothing if it means none. MongoDB carries it out last: what a crash cuts short is due again.
        """
        await self._engine.settle(mark, steps)

    def add_step(self, record: FlatRecord) -> Step:
        """What `add` does, as a step."""
        return Step(self.kind, "add", record)

    def add_if_new_step(self, record: FlatRecord) -> Step:
        """What `add_if_new` does, as a step."""
        return Step(self.kind, "add_if_new", record)

    def put_step(self, record: FlatRecord) -> Step:
        """What `put` does, as a step."""
        return Step(self.kind, "put", record)

    def set_step(self, to: FlatRecord, **where: Condition) -> Step:
        """What `set` does, as a step."""
        return Step(self.kind, "set", to, where)

    def replace_step(self, record: FlatRecord) -> Step:
        """What `replace` does, as a step."""
        to = {name: value for name, value in record.items() if name != KEY}
        return self.set_step(to, _id=record[KEY], rev=int(record["rev"]) - 1)

    def delete_step(self, **where: Condition) -> Step:
        """What `delete` does, as a step."""
        return Step(self.kind, "delete", where=where)

    async def find(
        self, order: str = "", limit: int = 0, only: Sequence[str] = (), **where: Condition
    ) -> Sequence[Fields]:
        """The fields of those records. `only`: their keys and those named there; () for all.

        `order`: by which fields, those with a minus descending. `limit`: 0 for none.
        """
        return await self._engine.find(self.kind, where, order, limit, only)

    async def count(self, **where: Condition) -> int:
        """How many records are meant?"""
        return await self._engine.count(self.kind, where)

    async def read(
        self,
        read: Callable[[Fields], Made],
        order: str = "",
        limit: int = 0,
        only: Sequence[str] = (),
        **where: Condition,
    ) -> list[Made]:
        """What `read` makes of what `find` finds; records that it cannot read are noted, and left out."""
        return self.damage.readable(self.kind.name, await self.find(order, limit, only, **where), read)

    async def read_one(self, read: Callable[[Fields], Made], key: str) -> Made | None:
        """What `read` makes of the record with that key; None: there is none. Raises Unreadable too."""
        found = await self.find(_id=key)
        with self.damage.noted(self.kind.name, key):
            return read(found[0]) if found else None


class TableStore:
    """A part of a store that is one table, or more: `kinds` are theirs. All methods raise Unavailable."""

    kinds: ClassVar[tuple[RecordKind, ...]]

    def __init__(self, table: Table) -> None:
        self._table = table


class OwnedTableStore(TableStore):
    """One whose records each belong to an `owner`."""

    async def forget(self, owner: str) -> None:
        """Deletes all that belongs to `owner`."""
        await self._table.delete(owner=owner)
