"""How a try at a puzzle is noted in the SQLite file: by one transaction."""

import sqlite3

from server.games.puzzles import Puzzle, PuzzleStanding, after_try
from server.storage.errors import Duplicate
from server.storage.sqlite.file import SqliteFile
from server.storage.sqlite.rows import fields_of, insert
from server.storage.tables.puzzles import (
    FormStanding,
    PuzzleTry,
    PuzzleTryStore,
    rating_fields,
    rating_of,
    standing_document,
    standing_key,
    standing_of,
    try_document,
)
from server.storage.tables.table import Table


class SqlitePuzzleTries(PuzzleTryStore):
    """Tries in the SQLite file."""

    def __init__(self, file: SqliteFile, table: Table, standings: Table) -> None:
        super().__init__(table, standings)
        self._file = file

    async def note_try(self, tried: PuzzleTry, puzzle: Puzzle) -> tuple[PuzzleStanding, PuzzleStanding] | None:
        damage = self._table.damage
        key = standing_key(tried.owner, puzzle.variant, puzzle.chess960)

        def write(connection: sqlite3.Connection) -> tuple[PuzzleStanding, PuzzleStanding]:
            insert(connection, "puzzle_tries", try_document(tried))
            kept = fields_of(connection.execute("SELECT * FROM puzzle_standings WHERE _id = ?", (key,)))
            before = next(
                (one.standing for one in damage.readable("puzzle_standings", kept, standing_of)), PuzzleStanding()
            )
            rated = fields_of(connection.execute("SELECT * FROM puzzles WHERE _id = ?", (tried.puzzle,)))
            strength = next(iter(damage.readable("puzzles", rated, rating_of)), puzzle.rating)
            after, rating = after_try(before, strength, tried.solved, tried.at)
            standing = FormStanding(tried.owner, puzzle.variant, puzzle.chess960, after)
            insert(connection, "puzzle_standings", standing_document(standing), "OR REPLACE")
            fields = rating_fields(rating)
            changes = ", ".join(f"{name} = ?" for name in fields)
            connection.execute(f"UPDATE puzzles SET {changes} WHERE _id = ?", (*fields.values(), tried.puzzle))
            return before, after

        try:
            return await self._file.write(write)
        except Duplicate:
            return None
