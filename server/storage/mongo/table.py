"""Tables of flat records in MongoDB, and the indexes of all its collections."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pymongo import IndexModel

from server.storage.errors import Duplicate
from server.storage.fields import Fields
from server.storage.mongo.accounts import ALIKE, LEAVING
from server.storage.mongo.archive import UNFILED
from server.storage.mongo.client import checked, insert, upsert
from server.storage.mongo.explorer import UNEXPLORED
from server.storage.mongo.outbox import UNTOLD
from server.storage.mongo.ratings import UNCOUNTED
from server.storage.protocols.archive import FACETS
from server.storage.record_kinds import RecordKind
from server.storage.tables.stores import TABLE_KINDS
from server.storage.tables.table import KEY, After, AnyWord, Condition, NoneOf, Step, TableEngine, Where, is_met

GAMES_OF_A_PLAYER: Final = ("white created-", "black created-", "white status created-", "black status created-")
INDEXES: Final[Mapping[str, Sequence[str]]] = {
    **{kind.name: kind.indexes for kind in TABLE_KINDS if kind.indexes},
    "accounts": ("user", "held_until", "bot", ALIKE, LEAVING),
    "archive": (*(f"by_{name}" for name in FACETS), "key"),
    "chat": ("player", "game number-", UNTOLD),
    "counted": ("game", "player", "chart"),
    "explorer": ("position",),
    "games": (*GAMES_OF_A_PLAYER, "deadline", "remind_at", UNTOLD, UNFILED, UNEXPLORED, UNCOUNTED),
    "scores": ("player", "opponent", "often"),
    "sessions": ("user", "seen", "created"),
    "standings": ("player", "board", "lively"),
}
"""The fields of each index, those with a minus in descending order."""
OPTIONS: Final[Mapping[tuple[str, str], Mapping[str, bool]]] = {
    ("accounts", "user"): {"unique": True},
    ("accounts", LEAVING): {"sparse": True},
    ("chat", UNTOLD): {"sparse": True},
}


async def create_indexes(database: Any) -> None:
    """Creates those that are missing. Raises PyMongoError if stored values violate one."""
    for collection, indexes in INDEXES.items():
        models = [IndexModel(keys_of(index), **OPTIONS.get((collection, index), {})) for index in indexes]
        await database[collection].create_indexes(models)


def keys_of(index: str) -> list[tuple[str, int]]:
    """The fields of an index as the driver takes them: each with 1, or -1 if it descends."""
    return [(name.rstrip("-"), -1 if name.endswith("-") else 1) for name in index.split()]


class MongoTables(TableEngine):
    """Collections are called like the kinds."""

    def __init__(self, database: Any) -> None:
        self._database = database

    async def write(self, steps: Sequence[Step], only_if_first: bool) -> int:
        first = await self._carry_out(steps[0])
        if first or not only_if_first:
            for step in steps[1:]:
                await self._carry_out(step)
        return first

    async def settle(self, mark: Step, steps: Sequence[Step]) -> None:
        marked = self._database[mark.kind.name].find_one(_wanted(mark.kind, mark.where), {KEY: 1})
        if await checked(marked) is not None:
            await self.write((*steps, mark), only_if_first=False)

    async def _carry_out(self, step: Step) -> int:
        """How many documents the step has stored, or means."""
        documents, wanted = self._database[step.kind.name], _wanted(step.kind, step.where)
        # The driver repeats only what is done to one document if another server takes over.
        is_one = isinstance(step.where.get(KEY), str)
        match step.change:
            case "add":
                await insert(documents, step.record)
            case "add_if_new":
                try:
                    await insert(documents, step.record)
                except Duplicate:
                    return 0
            case "put":
                await upsert(documents, step.record)
            case "set":
                update = documents.update_one if is_one else documents.update_many
                return int((await checked(update(wanted, {"$set": dict(step.record)}))).matched_count)
            case "delete":
                delete = documents.delete_one if is_one else documents.delete_many
                return int((await checked(delete(wanted))).deleted_count)
        return 1

    async def find(
        self, kind: RecordKind, where: Where, order: str, limit: int, only: Sequence[str]
    ) -> Sequence[Fields]:
        found = self._database[kind.name].find(_wanted(kind, where), dict.fromkeys(only, 1))
        if order:
            found = found.sort(keys_of(order))
        if limit:
            found = found.limit(limit)
        documents: Sequence[Fields] = await checked(found.to_list(limit or None))
        return documents

    async def count(self, kind: RecordKind, where: Where) -> int:
        return int(await checked(self._database[kind.name].count_documents(_wanted(kind, where))))


def _wanted(kind: RecordKind, where: Where) -> Mapping[str, Any]:
    """The filter. Documents of earlier releases lack fields that were added since: these count as their defaults."""
    wanted = {name: _condition(condition) for name, condition in where.items()}
    for name in (name for name, condition in where.items() if name in kind.added):
        if not is_met(where[name], kind.added[name]):
            continue
        if isinstance(wanted[name], dict) and "$in" not in wanted[name]:
            wanted.setdefault("$and", []).append({"$or": [{name: wanted.pop(name)}, {name: None}]})
        else:
            values = wanted[name]["$in"] if isinstance(wanted[name], dict) else [wanted[name]]
            wanted[name] = {"$in": [*values, None]}
    return wanted


def _condition(condition: Condition) -> Any:
    match condition:
        case range():
            return {"$gte": condition.start, "$lt": condition.stop}
        case frozenset():
            return {"$in": sorted(condition)}
        case NoneOf():
            return {"$nin": sorted(condition.texts)}
        case After():
            return {"$gt": condition.text}
        case AnyWord():
            return {"$regex": f"^$|(^| )({'|'.join(map(re.escape, sorted(condition.words)))})( |$)"}
        case bool():
            return int(condition)
    return condition
