"""The forms of the desk: none does anything that the log has no line of, whichever id a browser sends with it, and the
password that is asked for in between loses no page.
"""

import pytest

from server.games.desk import Role
from server.games.player import Player
from server.realtime.services.desk import give_role
from server.web.desk import CONFIRMED_MS
from server.web.forms import Form
from server.web.operation.site_check import SITE_CHECK
from server.web.site import SITE
from tests.support.web.accounts import PASSWORD, go, page_of, register

pytestmark = pytest.mark.usefixtures("unlimited")

BEN = {"person": "{ben}", "password": PASSWORD}
WITHOUT_PASSWORD = {"/host/claim"}
FORMS = {
    "Pressed /host/site/backup": {},
    "Pressed /host/site/check": {},
    "NoticeForm /host/notice": {"text": "Hello.", "days": "1"},
    "RestartForm /host/notice/restart": {"text": "We update.", "minutes": "5"},
    "DataForm /host/people/data/export": BEN,
    "InvitationForm /host/joining/invitations": {"note": "Club", "uses": "1", "hours": "1"},
    "SanctionForm /host/people": {"person": "{ben}", "measure": "warn", "reason": "spam", "sure": "yes"},
}
"""What each form with the id of its action says beside it, by its class and address."""
OTHERS = {
    "NoticeForm /host/notice": {"text": "Good night."},
    "RestartForm /host/notice/restart": {"minutes": "10"},
    "DataForm /host/people/data/export": {"person": "{mona}"},
    "InvitationForm /host/joining/invitations": {"uses": "0"},
    "SanctionForm /host/people": {"reason": "insult"},
}
"""What the same form may say instead."""
MADE_ONCE = {"InvitationForm", "SanctionForm"}
"""What they make has the id of the form, so that later they make nothing."""
ELSEWHERE = {"AddressForm", "DeletionForm", "InvitationToEnd"}
"""Forms that are logged where `DataForm` is, and one that names what there is already."""


@pytest.fixture
async def site(server, monkeypatch):
    async def nothing(_):
        return False

    monkeypatch.setattr(type(server.app[SITE_CHECK]), "run", nothing)
    return server.app[SITE]


@pytest.fixture
async def people(site, visitor):
    """Hilda and Hugo, at the desk."""
    hosts = {}
    for name, role in (("Hilda", Role.HOST), ("Hugo", Role.HOST), ("Mona", None), ("Ben", None)):
        hosts[name] = await visitor()
        await register(hosts[name], name)
        account = await site.store.accounts.find(name)
        if role is not None:
            await give_role(site.store.desk, Player(account.user, name), role, Player("", "root"), site.now())
            await open_desk(hosts[name])
    return hosts


async def open_desk(host):
    assert await go(host, "/host/password", password=PASSWORD) == "/host"


def test_each_form_with_an_id_is_here(server):
    routes = [one for one in server.app.router.routes() if str(one.resource.canonical).startswith("/host")]
    modules = {one.handler.__module__ for one in routes}
    found = {one.__name__ for one in below(Form) if one.__module__ in modules and {"id", "code"} & {*one.model_fields}}
    assert found == {one.split()[0] for one in FORMS} | ELSEWHERE


def below(form):
    for one in form.__subclasses__():
        yield one
        yield from below(one)


@pytest.mark.parametrize("form", FORMS)
async def test_an_id_that_was_used_lets_nothing_pass_unlogged(site, people, clock, form):
    kind, path = form.split()
    ids = {name.lower(): (await site.store.accounts.find(name)).user for name in ("Ben", "Mona")}

    async def lines_after(host, **fields):
        """How many lines the log has, and was it refused?"""
        name = "code" if kind == "InvitationForm" else "id"
        said = {one: text.format(**ids) for one, text in (FORMS[form] | fields).items()}
        async with people[host].http.post(path, data={name: "CDEFGHJKMN", **said}, allow_redirects=False) as answer:
            await site.live.services.background.finish(20)
            return len(await site.store.desk.log(site.now(), 99)), answer.status >= 400

    before = len(await site.store.desk.log(site.now(), 99))
    assert await lines_after("Hilda") == (before + 1, False)
    assert await lines_after("Hilda") == (before + 1, False), "pressed twice"
    said = before + 1
    if form in OTHERS:
        lines, refused = await lines_after("Hilda", **OTHERS[form])
        assert refused == (kind in MADE_ONCE)
        assert lines == said + (not refused)
        said = lines
    lines, refused = await lines_after("Hugo")
    assert refused == (kind in MADE_ONCE)
    assert lines == said + (not refused)
    said = lines
    clock.turn(2 * 86_400_000)
    await open_desk(people["Hilda"])
    lines, _ = await lines_after("Hilda")
    assert lines == said + (kind not in MADE_ONCE)


async def test_each_page_of_the_desk_is_the_same_after_the_password(server, people, clock):
    """Whatever it was asked for, also by somebody who signs in first."""
    clock.turn(CONFIRMED_MS)
    paths = {one.resource.canonical for one in server.app.router.routes() if one.method == "GET"}
    pages = [one for one in paths if one.startswith("/host") and "{" not in one and one not in WITHOUT_PASSWORD]
    assert len(pages) > 10
    for path in pages:
        address = f"{path}?person=Ben&by=Ann%C3%A9&what=command"
        assert f'name="next" value="{address.replace("&", "&amp;")}"' in await page_of(people["Hilda"], address), path
