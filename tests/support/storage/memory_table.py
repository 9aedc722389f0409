"""Tables of flat records in memory, in a store that can be told to fail."""

from server.storage.errors import Duplicate
from server.storage.tables.table import TableEngine, is_met


class MemoryTables(TableEngine):
    """`store.kept`: the records, by kind and key."""

    def __init__(self, store):
        self._store = store

    async def write(self, steps, only_if_first):
        await self._store._reach()
        first = self._carry_out(steps[0])
        if first or not only_if_first:
            for step in steps[1:]:
                self._carry_out(step)
        self._store._written()
        return first

    async def settle(self, mark, steps):
        await self.write((mark, *steps), only_if_first=True)

    def _carry_out(self, step):
        kept, key, meant = self._store.kept[step.kind.name], step.record.get("_id"), self._meant(step.kind, step.where)
        match step.change:
            case "add" if key in kept:
                raise Duplicate(key)
            case "add_if_new" if key in kept:
                return 0
            case "set":
                for one in meant:
                    one.update(step.record)
                return len(meant)
            case "delete":
                for one in meant:
                    del kept[one["_id"]]
                return len(meant)
        kept[key] = dict(step.record)
        return 1

    async def find(self, kind, where, order, limit, only):
        await self._store._reach()
        found = self._meant(kind, where)
        for name in reversed(order.split()):
            found.sort(key=lambda one, name=name: one[name.rstrip("-")], reverse=name.endswith("-"))
        return [{name: one[name] for name in (("_id", *only) if only else one)} for one in found[: limit or None]]

    async def count(self, kind, where):
        await self._store._reach()
        return len(self._meant(kind, where))

    def _meant(self, kind, where):
        kept = self._store.kept[kind.name].values()
        return [one for one in kept if all(is_met(condition, one[name]) for name, condition in where.items())]
