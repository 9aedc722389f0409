"""How a try at a puzzle is noted in MongoDB.

MongoDB changes one document at a time. So the try comes first, open, with both ratings as they were; the standing and
the puzzle are then changed by compare-and-set, and remember which tries they have counted. An open try is completed by
whoever notes it again, and counts once.
"""

from collections.abc import Mapping
from typing import Any, Final

from server.games.puzzles import Puzzle, PuzzleStanding, after_try
from server.games.rating import Rating
from server.storage.errors import Duplicate, Unavailable
from server.storage.fields import Fields
from server.storage.mongo.client import checked, insert
from server.storage.tables.puzzles import (
    PUZZLE_STANDINGS,
    PUZZLE_TRIES,
    PUZZLES,
    FormStanding,
    PuzzleTry,
    PuzzleTryStore,
    rating_fields,
    rating_of,
    standing_document,
    standing_key,
    standing_of,
    try_document,
    try_of,
)
from server.storage.tables.table import Table

OPEN: Final = "open"
"""A field of a try that may not be counted yet: the ratings of its solver and of the puzzle before."""
COUNTED: Final = "counted"
"""A field of a standing or puzzle: which puzzles, or whose tries, were counted in it last."""
COUNTED_KEPT: Final = 64
"""A try that failed half-way is repeated long before so many others have come."""
TRIES: Final = 20
"""Before a change of a document is given up that others change all the time."""


class MongoPuzzleTries(PuzzleTryStore):
    """Tries of MongoDB."""

    def __init__(self, database: Any, table: Table, standings: Table) -> None:
        super().__init__(table, standings)
        self._puzzle_documents = database[PUZZLES.name]
        self._try_documents = database[PUZZLE_TRIES.name]
        self._standing_documents = database[PUZZLE_STANDINGS.name]

    async def note_try(self, tried: PuzzleTry, puzzle: Puzzle) -> tuple[PuzzleStanding, PuzzleStanding] | None:
        before = await self.find_standing(tried.owner, puzzle.variant, puzzle.chess960)
        strengths = {"mine": dict(rating_fields(before.rating)), "puzzle": dict(rating_fields(puzzle.rating))}
        opened: Mapping[str, Any] = {**try_document(tried), OPEN: strengths}
        try:
            await insert(self._try_documents, opened)
        except Duplicate:
            opened = await checked(self._try_documents.find_one({"_id": opened["_id"]})) or {}
            if OPEN not in opened:
                return None
        first, ratings = try_of(opened), opened[OPEN]
        settled = await self._count_for_solver(first, puzzle, rating_of(ratings["puzzle"]))
        await self._count_for_puzzle(first, rating_of(ratings["mine"]))
        await checked(self._try_documents.update_one({"_id": opened["_id"]}, {"$unset": {OPEN: ""}}))
        return settled

    async def _count_for_solver(
        self, tried: PuzzleTry, puzzle: Puzzle, strength: Rating
    ) -> tuple[PuzzleStanding, PuzzleStanding]:
        """Their standing before and after; the same twice if it was counted already. `strength`: of the puzzle."""
        key = standing_key(tried.owner, puzzle.variant, puzzle.chess960)
        for _ in range(TRIES):
            found = await checked(self._standing_documents.find_one({"_id": key}))
            before = PuzzleStanding() if found is None else standing_of(found).standing
            if found is not None and tried.puzzle in found.get(COUNTED, ()):
                return before, before
            after, _ = after_try(before, strength, tried.solved, tried.at)
            fields = standing_document(FormStanding(tried.owner, puzzle.variant, puzzle.chess960, after))
            if await self._set_once(self._standing_documents, fields, tried.puzzle, found):
                return before, after
        raise Unavailable("too many tries at once")

    async def _count_for_puzzle(self, tried: PuzzleTry, mine: Rating) -> None:
        """`mine`: the rating of the solver before."""
        for _ in range(TRIES):
            found = await checked(self._puzzle_documents.find_one({"_id": tried.puzzle}))
            if found is None or tried.owner in found.get(COUNTED, ()):
                return
            _, after = after_try(PuzzleStanding(mine), rating_of(found), tried.solved, tried.at)
            if await self._set_once(
                self._puzzle_documents, {"_id": tried.puzzle, **rating_fields(after)}, tried.owner, found
            ):
                return
        raise Unavailable("too many tries at once")

    async def _set_once(self, documents: Any, fields: Fields, counted: str, found: Fields | None) -> bool:
        """Stores the fields, and that `counted` is in them, if the document is as it was `found`. Is it stored?"""
        if found is None:
            try:
                await insert(documents, {**fields, COUNTED: [counted]})
            except Duplicate:
                return False
            return True
        same = {"_id": found["_id"], "tries": found["tries"], "rated_at": found["rated_at"], COUNTED: {"$ne": counted}}
        change = {"$set": {**fields}, "$push": {COUNTED: {"$each": [counted], "$slice": -COUNTED_KEPT}}}
        del change["$set"]["_id"]
        return bool((await checked(documents.update_one(same, change))).matched_count)
