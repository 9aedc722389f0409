"""Files as each earlier version of the embedded store left them: its scripts, a row in every table, and old games."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from server.storage.sqlite.scripts import SCRIPTS
from tests.support.storage.old_rows import insert_old_game
from tests.support.storage.sqlite_file import NO_WAITING

DOCUMENTS = Path(__file__).parents[2] / "storage" / "documents"
VALUES = {"TEXT": "x", "INTEGER": 1, "BLOB": b"x"}
NO_ROWS = {"games", "moves", "archive", "sqlite_stat1"}
"""What these hold is made of games."""


def old_games():
    """The head and the moves of a stored game of every schema, each with an id of its own."""
    for path in sorted(DOCUMENTS.glob("*.json")):
        kept = json.loads(path.read_text(encoding="utf-8"))
        yield {**kept["head"], "_id": path.stem}, kept["moves"]


def make_old_file(path, version):
    """A file of that version at `path`, and which tables have a row."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(NO_WAITING)
        for script in SCRIPTS[:version]:
            connection.executescript(script)
        for head, moves in old_games():
            insert_old_game(connection, head, moves)
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        filled = sorted(set(tables) - NO_ROWS)
        for table in filled:
            kinds = [kind for _, _, kind, *_ in connection.execute(f"PRAGMA table_info({table})")]
            marks = ", ".join("?" * len(kinds))
            connection.execute(f"INSERT INTO {table} VALUES ({marks})", [VALUES[kind] for kind in kinds])
        connection.execute(f"PRAGMA user_version = {version}")
    return filled
