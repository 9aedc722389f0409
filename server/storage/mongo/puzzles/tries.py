"""What people have done at puzzles, in MongoDB."""

from collections.abc import Sequence, Set
from typing import Any

from server.games.puzzles.standing import PuzzleStanding
from server.games.rating import Rating
from server.storage.damage import Damage
from server.storage.errors import Duplicate
from server.storage.mongo.driver_errors import checked, insert, upsert
from server.storage.protocols.puzzles.puzzles import rating_fields
from server.storage.protocols.puzzles.tries import (
    FormStanding,
    PuzzleTry,
    standing_document,
    standing_key,
    standing_of,
    to_document,
    try_of,
)


class MongoPuzzleTries:
    """A `PuzzleTryStore`."""

    def __init__(self, database: Any, damage: Damage) -> None:
        self._puzzles = database["puzzles"]
        self._tries = database["puzzle_tries"]
        self._kept = database["puzzle_standings"]
        self._damage = damage

    async def note(self, tried: PuzzleTry, after: FormStanding, puzzle: Rating) -> bool:
        try:
            await insert(self._tries, to_document(tried))
        except Duplicate:
            return False
        await upsert(self._kept, standing_document(after))
        await checked(self._puzzles.update_one({"_id": tried.puzzle}, {"$set": dict(rating_fields(puzzle))}))
        return True

    async def tried(self, owner: str) -> Set[str]:
        found = await checked(self._tries.find({"owner": owner}, {"puzzle": 1}).to_list(None))
        return {str(one["puzzle"]) for one in found}

    async def standing(self, owner: str, variant: str, chess960: bool) -> PuzzleStanding:
        found = await self._standings({"_id": standing_key(owner, variant, chess960)})
        return found[0].standing if found else PuzzleStanding()

    async def of(self, owner: str) -> Sequence[PuzzleTry]:
        found = await checked(self._tries.find({"owner": owner}).to_list(None))
        return self._damage.readable("puzzle_tries", found, try_of)

    async def standings(self, owner: str) -> Sequence[FormStanding]:
        return await self._standings({"owner": owner})

    async def _standings(self, wanted: Any) -> Sequence[FormStanding]:
        found = await checked(self._kept.find(wanted).to_list(None))
        return self._damage.readable("puzzle_standings", found, standing_of)

    async def forget(self, owner: str) -> None:
        for kept in (self._tries, self._kept):
            await checked(kept.delete_many({"owner": owner}))
