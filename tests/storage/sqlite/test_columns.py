"""Tables of the SQLite file: columns and fields are the same, whoever made them, and how they are asked."""

import sqlite3
from contextlib import closing

import pytest

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


# How a table of flat records asks the SQLite file. What it answers is shown by the suite of all stores.


@pytest.fixture
async def plans(store, monkeypatch):
    """What SQLite would do for each question, as it is asked, with its values apart."""
    told, ask = [], store._file.fields

    async def explained(query, values=()):
        told.extend(detail for *_, detail in await store._file.rows(f"EXPLAIN QUERY PLAN {query}", values))
        return await ask(query, values)

    monkeypatch.setattr(store._file, "fields", explained)
    return told


async def test_an_index_of_some_rows_finds_them(store, plans):
    await store.reports.open(10)
    await store.vacations.unsettled()
    assert ["reports_open" in plans[0], "vacations_unsettled" in plans[1], len(plans)] == [True, True, 2]


async def test_a_page_by_key_is_read_in_the_order_of_the_key(store, plans):
    await store.puzzles.page_of_puzzles("chess", "b", 20)
    await store.puzzles.page_of_puzzles("", "b", 20)
    assert plans == ["SEARCH puzzles USING PRIMARY KEY (_id>?)"] * 2
