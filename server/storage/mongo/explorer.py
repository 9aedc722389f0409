"""The opening explorer in MongoDB, which changes one document at a time, while a game counts in thirty.

Games are counted in batches, one after the other, each with a number:

1. A batch is written down with all that it adds (`explorer_batch`), by compare-and-set on the number of the one before.
2. Each document of a position and move has the number of the last batch that it counted, and counts only later ones.
3. The marks of the games (`UNEXPLORED`) are removed, and the batch is marked as done.

Whoever finds a batch that is not done does steps 2 and 3 again, which changes nothing: so no game is counted twice and
none is lost, wherever a process stops and however many do this at once.
"""

from collections.abc import Mapping, Sequence, Set
from typing import Any, Final

import orjson
from pymongo import UpdateOne

from server.storage.damage import Damage
from server.storage.errors import Duplicate
from server.storage.mongo.client import checked, insert
from server.storage.mongo.ratings import UNCOUNTED
from server.storage.protocols.explorer import (
    COUNTS,
    RESULTS,
    ExploredGame,
    MoveCount,
    additions,
    move_count_of,
)

UNEXPLORED: Final = "unexplored"
"""A field of a game: 1 until it has been counted."""
BATCH: Final = "batch"
"""The id of the only document of its collection."""


class MongoExplorer:
    """An `ExplorerStore`. Call `prepare` once before use."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._damage = damage
        self._games = database["games"]
        self._moves = database["explorer"]
        self._batch = database["explorer_batch"]
        self._filled = database["filled"]

    async def prepare(self) -> None:
        """Marks games that ended before there was an explorer. Raises Unavailable."""
        if await checked(self._filled.find_one({"_id": "explorer"})) is None:
            # What else must hold (`is_unexplored`) is seen when the game is read: old documents lack some fields.
            over = {"status": "over", "result": {"$in": list(RESULTS)}}
            await checked(self._games.update_many(over, {"$set": {UNEXPLORED: 1}}))
            await checked(self._filled.update_one({"_id": "explorer"}, {"$set": {"done": 1}}, upsert=True))

    async def unexplored(self, limit: int, but: Set[str] = frozenset()) -> Sequence[str]:
        wanted = {UNEXPLORED: 1, UNCOUNTED: {"$ne": 1}, **({"_id": {"$nin": sorted(but)}} if but else {})}
        found = self._games.find(wanted, {"_id": 1}).limit(limit)
        return [one["_id"] for one in await checked(found.to_list(limit))]

    async def take_in(self, games: Sequence[ExploredGame]) -> None:
        number = await self._finish_batch()
        # Read after the number: a game that another process counts meanwhile raises it.
        asked = {one.game: one for one in games}
        marked = await checked(
            self._games.find({"_id": {"$in": sorted(asked)}, UNEXPLORED: 1}, {"_id": 1}).to_list(None)
        )
        if found := [asked[one["_id"]] for one in marked]:
            await self._begin_batch(number, found)
            await self._finish_batch()

    async def moves(self, position: str) -> Sequence[MoveCount]:
        found = await checked(self._moves.find({"position": position}).to_list(None))
        return self._damage.readable("explorer", found, move_count_of)

    async def _begin_batch(self, number: int, games: Sequence[ExploredGame]) -> None:
        """Writes down the batch after that `number`, unless another process has done so with one of its own."""
        batch = {
            "number": number + 1,
            "pending": 1,
            "games": [one.game for one in games],
            "added": orjson.dumps(additions(games)).decode(),
        }
        if number:
            await checked(self._batch.update_one({"_id": BATCH, "number": number, "pending": 0}, {"$set": batch}))
            return
        try:
            await insert(self._batch, {"_id": BATCH, **batch})
        except Duplicate:
            return

    async def _finish_batch(self) -> int:
        """Carries out the batch that is written down, if it is not done, and returns its number; 0: there was none."""
        batch = await checked(self._batch.find_one({"_id": BATCH}))
        if batch is None:
            return 0
        number = int(batch["number"])
        if batch["pending"]:
            if added := orjson.loads(batch["added"]):
                await checked(self._moves.bulk_write([_new(one) for one in added], ordered=False))
                await checked(self._moves.bulk_write([_counted(one, number) for one in added], ordered=False))
            await checked(self._games.update_many({"_id": {"$in": batch["games"]}}, {"$set": {UNEXPLORED: 0}}))
            done = {"pending": 0, "added": "[]"}
            await checked(self._batch.update_one({"_id": BATCH, "number": number}, {"$set": done}))
        return number


def _id(one: Mapping[str, int | str]) -> str:
    return f"{one['position']} {one['move']}"


def _new(one: Mapping[str, int | str]) -> UpdateOne:
    """Makes sure that there is a document to count in."""
    nothing = {"position": one["position"], "move": one["move"], **dict.fromkeys(COUNTS, 0), "last": "", "best": ""}
    return UpdateOne({"_id": _id(one)}, {"$setOnInsert": {**nothing, "batch": 0}}, upsert=True)


def _counted(one: Mapping[str, int | str], number: int) -> UpdateOne:
    return UpdateOne(
        {"_id": _id(one), "batch": {"$lt": number}},
        {
            "$inc": {name: one[name] for name in COUNTS},
            "$max": {"last": one["last"], "best": one["best"]},
            "$set": {"batch": number},
        },
    )
