"""What somebody who cannot sign in may ask of a host about their data: a copy, another address, and to be deleted."""

import json

import pytest

from server.games.clocks.time_control import DAY_MS
from server.games.desk import Role
from server.games.player import Player
from server.storage.admin_commands import ExportPerson
from server.storage.errors import NotStored
from server.web.operation.host_commands import carry_out_command
from tests.support.web.accounts import PASSWORD, go, page_of, register
from tests.support.web.desk import seat_at_desk

pytestmark = pytest.mark.usefixtures("unlimited")
DATA = "/host/people/data"


@pytest.fixture
async def desk(site, visitor):
    """A host and a moderator, signed in at the desk."""
    people = []
    for name, role in (("Hilda", Role.HOST), ("Mona", Role.MODERATOR)):
        people.append(await visitor())
        await seat_at_desk(site, people[-1], name, role)
    return people


@pytest.fixture
async def whose(site, ben):
    await register(ben, "Ben")
    return {"id": "one", "person": (await site.store.accounts.find("Ben")).user, "password": PASSWORD}


async def deeds(site):
    done = [one for one in await site.store.desk.log(site.now(), 9) if one.by.id]
    return [(one.by.name, one.deed, one.whom.name) for one in done][::-1]


async def test_a_host_takes_a_copy_of_what_is_kept_about_somebody(site, desk, whose):
    hilda, _ = desk
    async with hilda.http.post(f"{DATA}/export", data={**whose, "password": "not this one"}) as answer:
        assert answer.status == 403
        assert "This is not your current password." in await answer.text()
    assert await deeds(site) == []
    for _ in range(2):
        async with hilda.http.post(f"{DATA}/export", data=whose) as answer:
            assert answer.headers["Content-Disposition"] == 'attachment; filename="fairyhouse-Ben.json"'
            found = await answer.json()
    assert found["profile"]["name"] == "Ben"
    assert [one["this_browser"] for one in found["sessions"]] == [False]
    assert "password" not in str(found)
    assert await deeds(site) == [("Hilda", "exported", "Ben")]
    assert "took a copy of the data of Ben, for them" in await page_of(hilda, "/host/log")


async def test_a_command_prints_the_same_copy_and_is_in_the_same_log(site, desk, whose):
    hilda, _ = desk
    async with hilda.http.post(f"{DATA}/export", data=whose) as answer:
        at_desk = await answer.json()
    at = site.settings.address
    printed = json.loads(await carry_out_command(site.store, ExportPerson("ben"), site.now(), at, print, "root"))
    # The copies themselves are in the log, and so in the next copy.
    for one in (at_desk, printed):
        del one["exported"], one["desk"]
    assert printed == at_desk
    last = (await site.store.desk.log(site.now(), 1))[0]
    assert (last.by, last.deed, last.whom.name) == (Player("", "root"), "exported", "Ben")
    with pytest.raises(NotStored):
        await carry_out_command(site.store, ExportPerson("Nobody"), site.now(), at, print, "root")


async def test_a_form_sent_again_about_somebody_else_or_on_another_day_is_in_the_log(site, desk, whose, monkeypatch):
    hilda, _ = desk
    mona = (await site.store.accounts.find("Mona")).user
    for person in (whose["person"], mona):
        async with hilda.http.post(f"{DATA}/export", data={**whose, "person": person}) as answer:
            assert answer.status == 200
    assert await deeds(site) == [("Hilda", "exported", "Ben"), ("Hilda", "exported", "Mona")]
    now = site.now
    monkeypatch.setattr(type(site), "now", property(lambda _: lambda: now() + DAY_MS), raising=False)
    assert await go(hilda, "/host/password", password=PASSWORD) == "/host"
    async with hilda.http.post(f"{DATA}/export", data=whose) as answer:
        assert answer.status == 200
    assert (await deeds(site))[2:] == [("Hilda", "exported", "Ben")]


async def test_only_hosts_get_to_the_data_of_others(site, desk, whose, ben):
    hilda, mona = desk
    person = whose["person"]
    assert "Data of Ben" in await page_of(hilda, f"{DATA}?person={person}")
    assert f"{DATA}?person={person}" in await page_of(hilda, f"/host/people?person={person}")
    assert f"{DATA}?person={person}" not in await page_of(mona, f"/host/people?person={person}")
    for somebody in (mona, ben):
        async with somebody.http.get(f"{DATA}?person={person}") as answer:
            assert answer.status == 403
        for path, more in (("export", {}), ("delete", {"name": "Ben"})):
            assert (await go(somebody, f"{DATA}/{path}", **whose, **more))[0] == 403
    assert (await go(hilda, f"{DATA}/export", **{**whose, "person": "nobody"}))[0] == 404
    assert await deeds(site) == []


async def test_somebody_is_deleted_as_they_asked_and_is_out_at_once(site, desk, whose, ben):
    hilda, _ = desk
    for name, password, status in (("Bob", PASSWORD, 400), ("Ben", "not this one", 403)):
        answer = await go(hilda, f"{DATA}/delete", **{**whose, "password": password}, name=name)
        assert answer[0] == status
    assert await site.store.accounts.find("Ben") is not None
    assert await go(hilda, f"{DATA}/delete", **whose, name="ben") == "/host/people?done"
    assert await site.store.accounts.find("Ben") is None
    assert await page_of(ben, "/account") == "/sign-in?next=/account"
    assert await deeds(site) == [("Hilda", "deleted", "Ben")]
    assert (await go(hilda, f"{DATA}/delete", **whose, name="Ben"))[0] == 404, "pressed twice, it is one"


async def test_who_has_a_role_is_not_deleted_before_it_is_taken_away(site, desk, whose):
    hilda, _ = desk
    person = (await site.store.accounts.find("Mona")).user
    status, page = await go(hilda, f"{DATA}/delete", **{**whose, "person": person}, name="Mona")
    assert (status, "take the role away first" in page) == (403, True)
    assert await deeds(site) == []


async def test_without_mail_there_is_no_address_to_correct(site, desk, whose):
    hilda, _ = desk
    assert f'action="{DATA}/address"' not in await page_of(hilda, f"{DATA}?person={whose['person']}")
    assert (await go(hilda, f"{DATA}/address", **whose, new="ben@chess.example"))[0] == 404
