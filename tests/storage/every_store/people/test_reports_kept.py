"""What people have told the host, on every engine."""

from dataclasses import replace

import pytest

from server.games.people import Outcome, Report, ReportKind, SaidLine
from server.games.player import DELETED_NAME, Player
from server.storage.errors import Duplicate
from tests.support.storage.rated_games import ANNA, BERTA, CARL

NOW = 1_700_000_000_000
FIRST = Report("r1", ANNA, BERTA, ReportKind.INSULTS, "game", "First\n'line'; \"two\"", NOW)
SECOND = Report("r2", BERTA, CARL, ReportKind.CHEATING, "", "é", NOW + 1)


async def test_open_reports_are_listed_the_oldest_first_also_after_a_restart(place):
    store = await place.open()
    for one in (SECOND, FIRST):
        await store.reports.add(one)
    with pytest.raises(Duplicate):
        await store.reports.add(FIRST)
    await store.close()
    store = await place.open()
    assert list(await store.reports.open(9)) == [FIRST, SECOND]
    assert list(await store.reports.open(1)) == [FIRST]
    assert list(await store.reports.by(BERTA.id)) == [SECOND]


async def test_a_report_is_closed_once_and_deleted_when_that_is_long_ago(store):
    for one in (FIRST, SECOND):
        await store.reports.add(one)
    assert await store.reports.records_of({ANNA.id, BERTA.id}) == {ANNA.id: (0, 0), BERTA.id: (0, 0)}
    assert await store.reports.close("r1", NOW + 5)
    assert not await store.reports.close("r1", NOW + 6)
    assert not await store.reports.close("r3", NOW + 6)
    assert list(await store.reports.open(9)) == [SECOND]
    await store.reports.expire(NOW + 5, NOW)
    assert list(await store.reports.by(ANNA.id)) == [replace(FIRST, closed=NOW + 5)]
    await store.reports.expire(NOW + 6, NOW)
    assert list(await store.reports.by(ANNA.id)) == []
    assert list(await store.reports.open(9)) == [SECOND]


async def test_reports_go_to_an_heir_and_with_whoever_leaves(store):
    for one in (FIRST, SECOND):
        await store.reports.add(one)
    heir = Player("heir", "Heir")
    for _ in range(2):
        await store.reports.hand_over(BERTA.id, heir)
    assert list(await store.reports.open(9)) == [replace(FIRST, about=heir), replace(SECOND, by=heir)]
    await store.reports.forget(CARL.id)
    assert list(await store.reports.open(9)) == [replace(FIRST, about=heir)]
    await store.reports.forget("heir")
    assert list(await store.reports.open(9)) == []


async def test_what_is_open_stays_without_the_name_of_a_reporter_who_leaves(store):
    closed = replace(SECOND, by=ANNA)
    said = [SaidLine(NOW, one.id, one.name, "Hi") for one in (ANNA, BERTA)]
    for one in (replace(FIRST, lines=tuple(said)), closed):
        await store.reports.add(one)
    await store.reports.close(closed.id, NOW + 5)
    for _ in range(2):
        await store.reports.forget(ANNA.id)
    said[0] = replace(said[0], person="", name=DELETED_NAME)
    left = replace(FIRST, by=Player("", DELETED_NAME), lines=tuple(said))
    assert list(await store.reports.open(9)) == [left]
    assert list(await store.reports.by(ANNA.id)) == []
    await store.reports.add(replace(SECOND, by=left.by, closed=NOW, outcome=Outcome.UPHELD))
    assert await store.reports.records_of([""]) == {"": (0, 0)}, "many who are gone are not one who was right"


async def test_it_is_known_about_how_many_people_each_reports_at_once(store):
    about = [replace(FIRST, id=f"a{number}", about=Player(f"v{number % 3}", "V")) for number in range(6)]
    for one in (*about, SECOND, replace(SECOND, id="r9", about=ANNA, closed=NOW + 2)):
        await store.reports.add(one)
    assert await store.reports.spread_of({ANNA.id, BERTA.id, CARL.id}) == {ANNA.id: 3, BERTA.id: 1}
