"""The host's desk, its log and the host's notice, on every engine."""

import asyncio
from dataclasses import replace

import pytest

from server.games.desk import Deed, Desk, DeskEntry, LogSearch, Role, about_to_leave, with_claim, with_role
from server.games.errors import NotAllowed
from server.games.player import Player
from server.realtime.runtime.ids import digest
from server.realtime.services.desk import give_role, leave_desk, make_claim, use_claim
from server.storage.tables.notices import SiteNotice
from server.storage.tables.table import Step
from tests.support.storage.rated_games import ANNA, BERTA, CARL

NOW = 1_700_000_000_000
ROOT = Player("", "root")


def entry(number, by=ANNA, whom=BERTA):
    return DeskEntry(f"desk {number:09}", NOW + number, by, Deed.ROLE, whom, "- host")


async def test_the_desk_is_kept_with_the_line_of_each_change_also_after_a_restart(place):
    store = await place.open()
    assert await store.desk.read() == Desk()
    first = with_role(Desk(), ANNA.id, Role.HOST)
    second = with_claim(with_role(first, BERTA.id, Role.ORGANISER), "digest", NOW)
    second = replace(second, rev=2)
    assert await store.desk.change(Desk(), first, entry(1))
    assert await store.desk.change(first, second, entry(2))
    await store.close()
    store = await place.open()
    assert await store.desk.read() == second
    assert list(await store.desk.log(NOW + 9, 9)) == [entry(2), entry(1)]
    assert list(await store.desk.log(NOW + 1, 9)) == [entry(1)]
    assert list(await store.desk.log(NOW + 9, 1)) == [entry(2)]
    assert list(await store.desk.entries_about(BERTA.id)) == [entry(1), entry(2)]
    await store.desk.expire(NOW + 2)
    assert list(await store.desk.log(NOW + 9, 9)) == [entry(2)]
    await store.desk.expire(NOW + 3)
    assert list(await store.desk.log(NOW + 9, 9)) == [], "the desk itself has it no longer, either"
    assert await store.desk.read() == second
    assert await store.desk.change(second, with_role(second, CARL.id, Role.HOST), entry(3))
    assert list(await store.desk.log(NOW + 9, 9)) == [entry(3)]


async def test_who_saw_an_older_desk_changes_nothing_and_writes_no_line(store):
    first = with_role(Desk(), ANNA.id, Role.HOST)
    assert await store.desk.change(Desk(), first, entry(1))
    assert not await store.desk.change(Desk(), with_role(Desk(), BERTA.id, Role.HOST), entry(1, by=BERTA))
    assert not await store.desk.change(replace(first, rev=0), replace(first, rev=1), entry(7))
    assert await store.desk.read() == first
    assert list(await store.desk.log(NOW + 9, 9)) == [entry(1)]


async def test_a_crash_between_the_change_and_its_line_loses_no_line(store, monkeypatch):
    """A step of the log that never arrives: the record itself has the line, and the next look files it."""
    write_if = store.desk._table.write_if

    async def crash(first: Step, *_: Step):
        return await write_if(first)

    monkeypatch.setattr(store.desk._table, "write_if", crash)
    first = with_role(Desk(), ANNA.id, Role.HOST)
    assert await store.desk.change(Desk(), first, entry(1))
    assert await store.desk.change(first, with_role(first, BERTA.id, Role.HOST), entry(2))
    monkeypatch.undo()
    assert list(await store.desk.log(NOW + 9, 9)) == [entry(2), entry(1)]


async def test_who_is_about_to_leave_is_kept_with_their_role_until_they_have_left(store):
    first = with_role(with_role(Desk(), ANNA.id, Role.HOST), BERTA.id, Role.HOST)
    leaving = about_to_leave(first, ANNA.id)
    assert await store.desk.change(Desk(), first, entry(1))
    assert await store.desk.change(first, leaving, entry(2))
    assert await store.desk.read() == leaving
    with pytest.raises(NotAllowed, match="last_host"):
        await leave_desk(store.desk, BERTA, NOW + 1)
    await leave_desk(store.desk, ANNA, NOW + 2)
    assert (await store.desk.read()).roles == ((BERTA.id, Role.HOST),)


async def test_of_two_who_open_the_link_one_becomes_host(store):
    await make_claim(store.desk, digest("code"), ROOT, NOW)
    tries = (use_claim(store.desk, store.sanctions, "code", one, NOW + 1) for one in (ANNA, BERTA, CARL))
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert sorted(type(one).__name__ for one in results) == ["FormRefused", "FormRefused", "NoneType"]
    assert len((await store.desk.read()).hosts) == 1
    assert len(await store.desk.log(NOW + 9, 9)) == 2


async def test_two_hosts_who_leave_at_once_leave_one_behind(store):
    for one in (ANNA, BERTA):
        await make_claim(store.desk, digest("code"), ROOT, NOW)
        await use_claim(store.desk, store.sanctions, "code", one, NOW + 1)
    results = await asyncio.gather(
        *(leave_desk(store.desk, one, NOW + 2) for one in (ANNA, BERTA)), return_exceptions=True
    )
    assert sorted(type(one).__name__ for one in results) == ["FormRefused", "NoneType"]
    (left,) = (await store.desk.read()).hosts
    with pytest.raises(NotAllowed, match="last_host"):
        await give_role(store.desk, Player(left, ""), Role.MODERATOR, ROOT, NOW + 3)


async def test_a_role_that_somebody_has_already_is_no_line_of_the_log(store):
    await make_claim(store.desk, digest("code"), ROOT, NOW)
    await use_claim(store.desk, store.sanctions, "code", ANNA, NOW + 1)
    for _ in range(2):
        await give_role(store.desk, BERTA, Role.ORGANISER, ANNA, NOW + 2)
    await leave_desk(store.desk, CARL, NOW + 3)
    lines = [(one.deed, one.detail) for one in await store.desk.log(NOW + 9, 9)]
    assert lines == [(Deed.ROLE, "- organiser"), (Deed.CLAIM, "used"), (Deed.CLAIM, "made")]


# The host's notice, on every engine.


NOTICE = SiteNotice("We move on Sunday.\n\nGames go on.", posted=NOW, until=NOW + 1, restarts=NOW + 1)


async def test_there_is_one_notice_also_after_a_restart(place):
    store = await place.open()
    assert await store.notices.current() is None
    await store.notices.post(SiteNotice("An older one.", NOW - 5, NOW))
    await store.notices.post(NOTICE)
    await store.close()
    store = await place.open()
    assert await store.notices.current() == NOTICE


async def test_it_is_removed_once(store):
    await store.notices.post(NOTICE)
    assert await store.notices.remove()
    assert not await store.notices.remove()
    assert await store.notices.current() is None


async def test_the_log_finds_lines_by_who_what_about_whom_and_since_when(store):
    """Also the line of the last change that a crash kept from the log."""
    anna, ben, root = Player("anna", "Anna"), Player("ben", "Ben"), Player("", "root")
    lines = [
        DeskEntry("a", NOW, anna, Deed.SANCTION, ben, "mute"),
        DeskEntry("b", NOW + 1, root, Deed.COMMAND, detail="delete"),
        DeskEntry("c", NOW + 2, anna, Deed.NOTICE, detail="Hello."),
    ]
    for line in lines:
        await store.desk.record(line)
    await store.desk.change(Desk(), with_role(Desk(), "ben", Role.HOST), DeskEntry("d", NOW + 3, root, Deed.ROLE, ben))
    await store.desk._log.delete(_id="d")
    searches = {
        LogSearch(): "dcba",
        LogSearch(by=anna): "ca",
        LogSearch(by=Player("", "Anna")): "ca",
        LogSearch(by=Player("another", "Anna")): "",
        LogSearch(by=root): "db",
        LogSearch(about=ben): "da",
        LogSearch(about=ben, by=anna): "a",
        LogSearch(deeds=frozenset({Deed.COMMAND, Deed.ROLE})): "db",
        LogSearch(since=NOW + 2): "dc",
        LogSearch(by=root, deeds=frozenset({Deed.SANCTION})): "",
    }
    for search, found in searches.items():
        assert [one.id for one in await store.desk.log(NOW + 9, 9, search)] == list(found), search
    assert [one.id for one in await store.desk.log(NOW + 1, 1, LogSearch(by=anna))] == ["a"]
