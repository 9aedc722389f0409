"""Columns and fields are the same: of a table that scripts made, and of one that its kind alone has made."""

import sqlite3
from contextlib import closing

from server.storage.sqlite.schema import create_tables
from server.storage.tables.stores import KINDS, TABLE_KINDS
from tests.support.storage.sqlite_file import open_begun

NOT_MOVED = {
    # The order of the lines, which they are moved in; and whether somebody is still to be told of one, for seconds.
    "chat": {"number", "untold"},
}


def test_each_column_is_a_field(tmp_path):
    with closing(open_begun(tmp_path / "games.sqlite3", wait_ms=0)) as connection:
        connection.row_factory = sqlite3.Row
        columns = {
            name: {row["name"] for row in connection.execute(f"PRAGMA table_info({kind.name})")}
            for name, kind in KINDS.items()
        }
    moved = {name: found - NOT_MOVED.get(name, set()) for name, found in columns.items()}
    assert moved == {name: set(kind.fields) for name, kind in KINDS.items()}


def shape(connection, table):
    """The name, type, whether it may be missing, and place in the key of each column."""
    rows = connection.execute(f"PRAGMA table_info({table})")
    return {(row["name"], row["type"], row["notnull"], row["pk"]) for row in rows}


def indexed(connection, table):
    """The columns of each index, but that of the key."""
    names = [row["name"] for row in connection.execute(f"PRAGMA index_list({table})") if row["origin"] == "c"]
    return {tuple(row["name"] for row in connection.execute(f"PRAGMA index_info({name})")) for name in names}


def test_a_table_is_made_by_its_kind_alone_as_scripts_made_it(tmp_path):
    made = sqlite3.connect(":memory:", isolation_level=None)
    with closing(open_begun(tmp_path / "games.sqlite3", wait_ms=0)) as scripted, closing(made):
        scripted.row_factory = made.row_factory = sqlite3.Row
        for _ in range(2):
            create_tables(made, TABLE_KINDS)
        for kind in TABLE_KINDS:
            assert shape(made, kind.name) == shape(scripted, kind.name), kind.name
            wanted = {tuple(name.removesuffix("-") for name in index.split()) for index in kind.indexes}
            assert indexed(made, kind.name) == wanted, kind.name
