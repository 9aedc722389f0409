"""What SQLite would do for each statement that a store was asked to run: gathered while its tests run, by tracing.

A statement may read a table through an index, or in the order of a key up to its limit; it may sort what it returns.
All else reads more than it returns, and has its reason here.
"""

import functools
import re
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from tests.support.storage.sqlite_file import new_file

VALUE = re.compile(r"'(?:[^']|'')*'|\b\d+\b|x'[0-9a-f]*'", re.IGNORECASE)
PLANNED = ("SELECT", "UPDATE", "DELETE", "INSERT", "WITH")
NO_TABLE = re.compile(r"SCAN (?:CONSTANT ROW|.*VIRTUAL TABLE)")
EXCUSED = {
    r"FROM uncounted ": "holds only games that are over for a moment",
    r"FROM unexplored ": "as long as it is, the first few that it holds are wanted",
    r"(?:FROM|UPDATE) seeks ": "holds only the seeks that stand, some hundreds",
    r"FROM handovers\b": "holds only merges that are not finished",
    r"(DELETE|SELECT node) FROM alive ": "a row for each server",
    r"DELETE FROM (?:accounts|vacations|reports|challenges|calls) WHERE": "old rows, swept in the background",
    r"FROM vacations WHERE settled = \? ORDER BY": "its index holds only those that are not settled",
    r"SELECT count\(\*\) FROM outbox$": "holds only mails that wait to be sent",
    r"FROM challenges$": "holds only the challenges that stand",
    r"FROM ties WHERE kind ": "all blocks, which a server reads when it starts",
    r"DELETE FROM puzzle_games ": "the host removes puzzles",
    r"UPDATE archive SET line = \? WHERE json_extract": "a test damages a line",
    r"FROM outbox WHERE next_try .* LIMIT": "mails of one moment are sorted by their ids",
    r"FROM alerts WHERE until > .* LIMIT": "alerts of one moment are sorted by their ids",
    r"FROM desk_log WHERE .* LIMIT": "a host looks through two years of the log, newest first, at most so many lines",
    r"FROM studies WHERE .* LIMIT": "one person's, changed at one moment",
}
"""Part of a statement, and why it may read more than it returns."""


@functools.cache
def _blank():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "blank.sqlite3"
        path.write_bytes(new_file())
        blank = sqlite3.connect(":memory:")
        with closing(sqlite3.connect(path)) as file:
            file.backup(blank)
        return blank


def shape_of(statement):
    """A statement without its values."""
    shape = " ".join(VALUE.sub("?", statement).split())
    return re.sub(r"\(\?(?:, ?\?)+\)", "(?, …)", shape)


@functools.cache
def _plan_of(shape, example):
    return [detail for *_, detail in _blank().execute(f"EXPLAIN QUERY PLAN {example}")]


class Plans:
    """The statements of a store."""

    def __init__(self):
        self._examples = {}

    def trace(self, statement):
        """For sqlite3's `set_trace_callback`."""
        if statement.lstrip().upper().startswith(PLANNED) and "sqlite_" not in statement:
            self._examples.setdefault(shape_of(statement), statement)

    def wasteful(self):
        """Every statement that reads more than it returns, without a reason, and the step of its plan that does."""
        for shape, example in self._examples.items():
            if any(re.search(part, shape) for part in EXCUSED):
                continue
            for detail in _plan_of(shape, example):
                if _reads_too_much(shape, detail):
                    yield shape, detail


def _reads_too_much(shape, detail):
    if detail.startswith("USE TEMP B-TREE"):
        return " LIMIT " in shape
    in_order = " LIMIT " in shape and (" USING " in detail or " WHERE " not in shape)
    return detail.startswith("SCAN") and not in_order and not NO_TABLE.match(detail)
