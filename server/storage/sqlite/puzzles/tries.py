"""What people have done at puzzles, in the SQLite file."""

import sqlite3
from collections.abc import Sequence, Set

from server.games.puzzles.standing import PuzzleStanding
from server.games.rating import Rating
from server.storage.errors import Duplicate
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
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.rows import insert


class SqlitePuzzleTries(SqlitePart):
    """A `PuzzleTryStore`."""

    async def note(self, tried: PuzzleTry, after: FormStanding, puzzle: Rating) -> bool:
        def write(connection: sqlite3.Connection) -> None:
            insert(connection, "puzzle_tries", to_document(tried))
            insert(connection, "puzzle_standings", standing_document(after), "OR REPLACE")
            fields = rating_fields(puzzle)
            changes = ", ".join(f"{name} = ?" for name in fields)
            connection.execute(f"UPDATE puzzles SET {changes} WHERE _id = ?", (*fields.values(), tried.puzzle))

        try:
            await self._file.write(write)
        except Duplicate:
            return False
        return True

    async def tried(self, owner: str) -> Set[str]:
        return {one for (one,) in await self._file.rows("SELECT puzzle FROM puzzle_tries WHERE owner = ?", (owner,))}

    async def standing(self, owner: str, variant: str, chess960: bool) -> PuzzleStanding:
        found = await self._standings("_id = ?", standing_key(owner, variant, chess960))
        return found[0].standing if found else PuzzleStanding()

    async def of(self, owner: str) -> Sequence[PuzzleTry]:
        found = await self._file.fields("SELECT * FROM puzzle_tries WHERE owner = ?", (owner,))
        return self._damage.readable("puzzle_tries", found, try_of)

    async def standings(self, owner: str) -> Sequence[FormStanding]:
        return await self._standings("owner = ?", owner)

    async def _standings(self, wanted: str, value: str) -> Sequence[FormStanding]:
        found = await self._file.fields(f"SELECT * FROM puzzle_standings WHERE {wanted}", (value,))
        return self._damage.readable("puzzle_standings", found, standing_of)

    async def forget(self, owner: str) -> None:
        def write(connection: sqlite3.Connection) -> None:
            for table in ("puzzle_tries", "puzzle_standings"):
                connection.execute(f"DELETE FROM {table} WHERE owner = ?", (owner,))

        await self._file.write(write)
