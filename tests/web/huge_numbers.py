"""Which numbers a file of SQLite holds, found by looking, and how to put one beyond reason in the place of each.

Also in texts that hold numbers: the pairs in the head of a game, and the times behind a move.
"""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import orjson

HUGE = 2**62
PAIR = re.compile(r"-?\d+ -?\d+")
MOVE = re.compile(r"(\S+) (-?\d+) (-?\d+) (\S+)")
IN_JSON = {"games": "head", "archive": "line"}
"""The columns that hold several fields."""


def with_huge(value):
    """The value with a huge number where there is a number; None: there is none in it."""
    if isinstance(value, int):
        return HUGE
    if isinstance(value, list):
        moves = [with_huge(one) for one in value]
        return moves if moves and all(moves) else None
    if isinstance(value, str) and PAIR.fullmatch(value):
        return f"{HUGE} {HUGE}"
    if isinstance(value, str) and (move := MOVE.fullmatch(value)):
        return f"{move[1]} {HUGE} {HUGE} {move[4]}"
    return None


def in_json(text, name):
    """The JSON object `text` with a huge number in the field `name`, or as it is."""
    fields = orjson.loads(text)
    huge = with_huge(fields.get(name))
    return orjson.dumps(fields if huge is None else {**fields, name: huge})


def numbers_in_file(path) -> Iterator[tuple[str, str, str]]:
    """Table, column, and the field in its JSON ("": the column itself is the number)."""
    with closing(sqlite3.connect(path)) as connection:
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for _, column, *_ in connection.execute(f"PRAGMA table_info({table})").fetchall():
                values = [value for (value,) in connection.execute(f"SELECT {column} FROM {table}")]
                if IN_JSON.get(table) == column:
                    objects = [orjson.loads(value) for value in values]
                    names = sorted({name for one in objects for name in one if with_huge(one[name]) is not None})
                    yield from ((table, column, name) for name in names)
                elif any(with_huge(value) is not None for value in values):
                    yield table, column, ""


def make_huge_in_file(path, table, column, name=""):
    """Writes a huge number there into every row, or into one where only one can have it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.create_function("with_huge", 1, lambda value: with_huge(value) or value, deterministic=True)
        connection.create_function("in_json", 2, in_json, deterministic=True)
        changed = f"with_huge({column})"
        if name:
            declared = "TEXT" if table == "archive" else "BLOB"
            changed = f"CAST(in_json({column}, '{name}') AS {declared})"
        connection.execute(f"UPDATE OR IGNORE {table} SET {column} = {changed}")
