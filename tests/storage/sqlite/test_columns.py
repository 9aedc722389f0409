"""Every column of a kind of record is among its fields: one that is forgotten there is lost when a site is moved."""

import sqlite3
from contextlib import closing

import pytest

from server.storage.record_kinds import KINDS
from tests.support.storage.sqlite_file import open_begun

NOT_MOVED = {
    # The order of the lines, which they are moved in; and whether somebody is still to be told of one, for seconds.
    "chat": {"number", "untold"},
}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_each_column_is_a_field(kind, tmp_path):
    with closing(open_begun(tmp_path / "games.sqlite3", wait_ms=0)) as connection:
        connection.row_factory = sqlite3.Row
        columns = {row["name"] for row in connection.execute(f"PRAGMA table_info({kind.name})")}
    assert columns - NOT_MOVED.get(kind.name, set()) == kind.fields.keys()
