"""How a table of flat records asks the SQLite file. What it answers is shown by the suite of all stores."""

import pytest


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
