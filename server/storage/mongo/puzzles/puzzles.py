"""Puzzles and searched games in MongoDB.

Puzzles are written before the mark of their game: what a crash leaves half done is done again, and changes nothing.
"""

from collections.abc import Collection, Sequence, Set
from typing import Any

from server.games.puzzles.puzzle import Puzzle
from server.storage.damage import Damage
from server.storage.mongo.driver_errors import checked, upsert
from server.storage.protocols.puzzles.puzzles import Searched, puzzle_of, searched_document, to_document
from server.storage.protocols.ratings import MILLI


class MongoPuzzles:
    """A `PuzzleStore`."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._puzzles = database["puzzles"]
        self._searched = database["puzzle_games"]
        self._tries = database["puzzle_tries"]
        self._damage = damage

    async def keep(self, searched: Searched, puzzles: Sequence[Puzzle]) -> None:
        for puzzle in puzzles:
            await upsert(self._puzzles, to_document(puzzle), "$setOnInsert")
        await upsert(self._searched, searched_document(searched))

    async def searched(self, games: Collection[str]) -> Set[str]:
        found = await checked(self._searched.find({"_id": {"$in": list(games)}}, {"_id": 1}).to_list(None))
        return {str(one["_id"]) for one in found}

    async def find(self, puzzle: str) -> Puzzle | None:
        found = await self._read(self._puzzles.find({"_id": puzzle}))
        return found[0] if found else None

    async def count(self, variant: str, chess960: bool) -> int:
        return int(await checked(self._puzzles.count_documents({"variant": variant, "chess960": int(chess960)})))

    async def near(
        self, variant: str, chess960: bool, value: float, but: Collection[str], most: int
    ) -> Sequence[Puzzle]:
        form = {"variant": variant, "chess960": int(chess960), "_id": {"$nin": list(but)}}
        limit = round(value * MILLI)
        above = self._puzzles.find({**form, "rating": {"$gte": limit}}).sort("rating", 1).limit(most)
        below = self._puzzles.find({**form, "rating": {"$lt": limit}}).sort("rating", -1).limit(most)
        return [*await self._read(above), *await self._read(below)]

    async def page(self, variant: str, after: str, most: int) -> Sequence[Puzzle]:
        form = {"variant": variant} if variant else {}
        return await self._read(self._puzzles.find({"_id": {"$gt": after}, **form}).sort([("_id", 1)]).limit(most))

    async def _read(self, found: Any) -> Sequence[Puzzle]:
        documents = await checked(found.to_list(None))
        return self._damage.readable("puzzles", documents, puzzle_of)

    async def remove(self, puzzles: Collection[str]) -> int:
        ids = list(puzzles)
        await checked(self._tries.delete_many({"puzzle": {"$in": ids}}))
        return int((await checked(self._puzzles.delete_many({"_id": {"$in": ids}}))).deleted_count)

    async def forget_searched(self, variant: str) -> None:
        await checked(self._searched.delete_many({"variant": variant} if variant else {}))
