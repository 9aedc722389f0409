"""A table of flat records in a MongoDB collection."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from server.storage.damage import Damage
from server.storage.errors import Duplicate
from server.storage.fields import Fields, FlatRecord
from server.storage.mongo.driver_errors import checked, insert, upsert
from server.storage.mongo.indexes import keys_of
from server.storage.record_kinds import RecordKind
from server.storage.tables.table import Condition, Table


class MongoTable(Table):
    """The collection is called like the kind."""

    def __init__(self, database: Any, damage: Damage, kind: RecordKind) -> None:
        super().__init__(kind, damage)
        self._documents = database[kind.name]

    async def add(self, record: FlatRecord) -> None:
        await insert(self._documents, record)

    async def add_if_new(self, record: FlatRecord) -> None:
        with suppress(Duplicate):
            await self.add(record)

    async def put(self, *records: FlatRecord) -> None:
        for record in records:
            await upsert(self._documents, record)

    # The driver repeats only what is done to one document if another server takes over.
    async def set(self, to: FlatRecord, **where: Condition) -> int:
        update = self._documents.update_one if _is_one(where) else self._documents.update_many
        return int((await checked(update(_wanted(where), {"$set": dict(to)}))).matched_count)

    async def delete(self, **where: Condition) -> int:
        delete = self._documents.delete_one if _is_one(where) else self._documents.delete_many
        return int((await checked(delete(_wanted(where)))).deleted_count)

    async def find(self, order: str = "", limit: int = 0, **where: Condition) -> Sequence[Fields]:
        found = self._documents.find(_wanted(where))
        if order:
            found = found.sort(keys_of(order))
        if limit:
            found = found.limit(limit)
        documents: Sequence[Fields] = await checked(found.to_list(limit or None))
        return documents


def _is_one(where: Mapping[str, Condition]) -> bool:
    return isinstance(where.get("_id"), str)


def _wanted(where: Mapping[str, Condition]) -> Mapping[str, Any]:
    return {name: _condition(condition) for name, condition in where.items()}


def _condition(condition: Condition) -> Any:
    match condition:
        case range():
            return {"$gte": condition.start, "$lt": condition.stop}
        case frozenset():
            return {"$in": sorted(condition)}
        case bool():
            return int(condition)
    return condition
