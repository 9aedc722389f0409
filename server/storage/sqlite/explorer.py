"""The opening explorer in the SQLite file. Games are counted, and their marks removed, in one transaction."""

import sqlite3
from collections.abc import Sequence, Set
from functools import partial
from operator import itemgetter

from server.storage.protocols.explorer import COUNTS, FIELDS, ExploredGame, MoveCount, additions, move_count_of
from server.storage.sqlite.file import SqlitePart
from server.storage.sqlite.rows import json_list

# `?` is a JSON list of lists, one for each position and move: one statement for all, as the file's thread waits for
# the interpreter lock between statements.
ADD = f"""
    INSERT INTO explorer ({", ".join(FIELDS)})
    SELECT {", ".join(f"json_extract(value, '$[{number}]')" for number in range(len(FIELDS)))} FROM json_each(?)
    WHERE true
    ON CONFLICT DO UPDATE SET {", ".join(f"{name} = {name} + excluded.{name}" for name in COUNTS)},
        last = max(last, excluded.last), best = max(best, excluded.best)
"""


class SqliteExplorer(SqlitePart):
    """An `ExplorerStore`."""

    async def unexplored(self, limit: int, but: Set[str] = frozenset()) -> Sequence[str]:
        rows = await self._file.rows(
            "SELECT game FROM unexplored WHERE game NOT IN (SELECT value FROM json_each(?))"
            " AND game NOT IN (SELECT game FROM uncounted) LIMIT ?",
            (json_list(but), limit),
        )
        return [game for (game,) in rows]

    async def take_in(self, games: Sequence[ExploredGame]) -> None:
        await self._file.write(partial(_take_in, games={one.game: one for one in games}))

    async def moves(self, position: str) -> Sequence[MoveCount]:
        found = await self._file.fields("SELECT * FROM explorer WHERE position = ?", (position,))
        return self._damage.readable("explorer", found, move_count_of, key=itemgetter("position"))


def insert_unexplored(connection: sqlite3.Connection, game_id: str) -> None:
    """Marks a game as unexplored, as part of the write that ends it. Repeating it changes nothing."""
    connection.execute("INSERT OR IGNORE INTO unexplored (game) VALUES (?)", (game_id,))


def _take_in(connection: sqlite3.Connection, games: dict[str, ExploredGame]) -> None:
    removed = connection.execute(
        "DELETE FROM unexplored WHERE game IN (SELECT value FROM json_each(?)) RETURNING game", (json_list(games),)
    ).fetchall()
    added = additions([games[game] for (game,) in removed])
    connection.execute(ADD, (json_list([[one[name] for name in FIELDS] for one in added]),))
