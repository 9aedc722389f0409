"""A table of flat records in memory, in a store that can be told to fail."""

from server.storage.errors import Duplicate
from server.storage.tables.table import Table


class MemoryTable(Table):
    """`kept`: the records by their keys."""

    def __init__(self, store, kind):
        super().__init__(kind, store.damage)
        self._store = store
        self.kept = store.kept[kind.name]

    async def add(self, record):
        await self._store._reach()
        if record["_id"] in self.kept:
            raise Duplicate(record["_id"])
        self._keep(record)

    async def add_if_new(self, record):
        await self._store._reach()
        if record["_id"] not in self.kept:
            self._keep(record)

    async def put(self, *records):
        await self._store._reach()
        self._keep(*records)

    def _keep(self, *records):
        self.kept.update({one["_id"]: dict(one) for one in records})
        self._store._written()

    async def set(self, to, **where):
        await self._store._reach()
        meant = self._meant(where)
        for one in meant:
            one.update(to)
        self._store._written()
        return len(meant)

    async def delete(self, **where):
        await self._store._reach()
        meant = self._meant(where)
        for one in meant:
            del self.kept[one["_id"]]
        self._store._written()
        return len(meant)

    async def find(self, order="", limit=0, **where):
        await self._store._reach()
        found = self._meant(where)
        for name in reversed(order.split()):
            found.sort(key=lambda one, name=name: one[name.rstrip("-")], reverse=name.endswith("-"))
        return [dict(one) for one in found[: limit or None]]

    def _meant(self, where):
        return [one for one in self.kept.values() if all(_is(one[name], what) for name, what in where.items())]


def _is(value, condition):
    return value in condition if isinstance(condition, range | frozenset) else value == condition
