"""Puzzles and searched games in the SQLite file."""

import sqlite3
from collections.abc import Collection, Sequence, Set

from server.games.puzzles.puzzle import Puzzle
from server.storage.protocols.puzzles.puzzles import Searched, puzzle_of, searched_document, to_document
from server.storage.protocols.ratings import MILLI
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.rows import insert, json_list

AMONG = "(SELECT value FROM json_each(?))"


class SqlitePuzzles(SqlitePart):
    """A `PuzzleStore`."""

    async def keep(self, searched: Searched, puzzles: Sequence[Puzzle]) -> None:
        def write(connection: sqlite3.Connection) -> None:
            for puzzle in puzzles:
                insert(connection, "puzzles", to_document(puzzle), "OR IGNORE")
            insert(connection, "puzzle_games", searched_document(searched), "OR REPLACE")

        await self._file.write(write)

    async def searched(self, games: Collection[str]) -> Set[str]:
        rows = await self._file.rows(f"SELECT _id FROM puzzle_games WHERE _id IN {AMONG}", (json_list(games),))
        return {game for (game,) in rows}

    async def find(self, puzzle: str) -> Puzzle | None:
        found = await self._read("_id = ?", puzzle)
        return found[0] if found else None

    async def count(self, variant: str, chess960: bool) -> int:
        query = "SELECT count(*) FROM puzzles WHERE variant = ? AND chess960 = ?"
        ((found,),) = await self._file.rows(query, (variant, int(chess960)))
        return int(found)

    async def near(
        self, variant: str, chess960: bool, value: float, but: Collection[str], most: int
    ) -> Sequence[Puzzle]:
        wanted = f"variant = ? AND chess960 = ? AND _id NOT IN {AMONG} AND rating"
        values = (variant, int(chess960), json_list(but), round(value * MILLI), most)
        above = await self._read(f"{wanted} >= ? ORDER BY rating, _id LIMIT ?", *values)
        below = await self._read(f"{wanted} < ? ORDER BY rating DESC, _id DESC LIMIT ?", *values)
        return [*above, *below]

    async def page(self, variant: str, after: str, most: int) -> Sequence[Puzzle]:
        wanted = "_id > ? AND (variant = ? OR ? = '') ORDER BY _id LIMIT ?"
        return await self._read(wanted, after, variant, variant, most)

    async def _read(self, wanted: str, *values: object) -> Sequence[Puzzle]:
        found = await self._file.fields(f"SELECT * FROM puzzles WHERE {wanted}", values)
        return self._damage.readable("puzzles", found, puzzle_of)

    async def remove(self, puzzles: Collection[str]) -> int:
        ids = (json_list(puzzles),)

        def write(connection: sqlite3.Connection) -> int:
            connection.execute(f"DELETE FROM puzzle_tries WHERE puzzle IN {AMONG}", ids)
            return connection.execute(f"DELETE FROM puzzles WHERE _id IN {AMONG}", ids).rowcount

        return await self._file.write(write)

    async def forget_searched(self, variant: str) -> None:
        await self._file.change("DELETE FROM puzzle_games WHERE variant = ? OR ? = ''", (variant, variant))
