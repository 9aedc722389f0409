"""What a host changes of the site while it runs: by a form, on every page and every node, without a restart."""

import pytest

from server.games.desk import Deed, DeskEntry
from server.games.site_settings import LONGEST_LEAD, House
from server.realtime.live import LivePlay
from server.realtime.services.site_settings import change_house
from server.storage.protocols.records import Retention
from server.web.operation.housekeeping import retention_of
from tests.support.web.accounts import go, page_of
from tests.support.web.desk import ROOT

pytestmark = pytest.mark.usefixtures("unlimited")
SETTINGS = "/host/settings"
FIELDS = {
    "lead": "Chess of the <b>town library</b>.",
    "contact": "mailto:tove@example.org",
    "imprint": "Tove\r\nLibrary Street 1",
    "privacy": "We keep your games.",
    "bots_rated": "yes",
}


async def save(site, host, **fields):
    """The form as it was opened just now."""
    return await go(host, SETTINGS, rev=str((await site.store.site_settings.read()).rev), **fields)


async def test_what_a_host_writes_is_on_every_page_at_once_and_in_the_log_once(site, host, ben):
    before = await page_of(ben, "/")
    for _ in range(2):
        assert await go(host, SETTINGS, rev="0", **FIELDS) == f"{SETTINGS}?done"
    home, about = await page_of(ben, "/"), await page_of(ben, "/about")
    assert "Chess of the &lt;b&gt;town library&lt;/b&gt;." in home
    assert "Chess of the" not in before
    assert "Tove\nLibrary Street 1" in about
    assert "We keep your games." in about
    assert 'href="mailto:tove@example.org"' in home
    assert "Contact: mailto:tove@example.org" in await page_of(ben, "/.well-known/security.txt")
    assert site.live.services.bots.may_be_rated
    lines = [one.detail for one in await site.store.desk.log(site.now(), 99) if one.deed == "settings"]
    assert lines == ["lead contact imprint privacy bots_rated:0:1"]
    page = await page_of(host, SETTINGS)
    assert "&lt;b&gt;town library&lt;/b&gt;" in page
    assert await save(site, host) == f"{SETTINGS}?done"
    assert "Chess of the" not in await page_of(ben, "/")
    assert not site.live.services.bots.may_be_rated
    assert (await site.store.site_settings.read()).house == House()


async def test_a_host_chooses_how_long_things_are_kept_unless_the_environment_says_so(site, host, monkeypatch):
    chosen = {"aborted_kept_days": "1", "chat_kept_days": "30", "imports_kept_days": "730"}
    assert retention_of(site) == Retention(7, 365, 0)
    assert await save(site, host, **chosen) == f"{SETTINGS}?done"
    assert retention_of(site) == Retention(1, 30, 730)
    lines = [one.detail for one in await site.store.desk.log(site.now(), 99) if one.deed == "settings"]
    assert lines == ["aborted_kept_days:7:1 chat_kept_days:365:30 imports_kept_days:0:730"]
    assert (await save(site, host, chat_kept_days="-1"))[0] == 400
    given = site.settings.model_copy(update={"chat_kept_days": 45})
    monkeypatch.setattr(type(site), "settings", given, raising=False)
    assert retention_of(site) == Retention(1, 45, 730)
    page = await page_of(host, SETTINGS)
    assert 'name="chat_kept_days"' not in page
    assert "<option selected>45 days</option>" in page
    assert await save(site, host, **{**chosen, "chat_kept_days": "7"}) == f"{SETTINGS}?done"
    assert (await site.store.site_settings.read()).house.chat_kept_days == 30


async def test_a_form_of_before_undoes_nothing_that_was_chosen_meanwhile(site, host):
    assert await save(site, host, chat_kept_days="730", lead="One.") == f"{SETTINGS}?done"
    status, page = await go(host, SETTINGS, rev="0", chat_kept_days="30", imprint="Tove")
    assert status == 409
    assert (await site.store.site_settings.read()).house == House(lead="One.", chat_kept_days=730)
    assert "Somebody else has changed the settings" in page
    assert "the words of the front page; the imprint; how long chats are kept (730 days before, 30 days now)" in page
    assert 'name="rev" value="1"' in page, "who saves that again has read it"
    assert (await go(host, SETTINGS, lead="Two."))[0] == 400
    status, page = await go(host, SETTINGS, rev="0", contact="javascript:alert(1)")
    assert (status, 'name="rev" value="0"' in page) == (400, True), "it is still a form of before"


async def test_what_a_form_says_nothing_of_is_kept_as_long_as_before(site, host):
    await save(site, host, chat_kept_days="730", imports_kept_days="90")
    assert await save(site, host, lead="Hello.") == f"{SETTINGS}?done"
    assert (await site.store.site_settings.read()).house == House("Hello.", chat_kept_days=730, imports_kept_days=90)


async def test_the_log_says_in_words_what_was_changed_from_what(site, host):
    await save(site, host, bots_rated="yes", imports_kept_days="30")
    await go(host, "/host/site/backups", kept="7")
    page = await page_of(host, "/host/log")
    said = (
        "rated games of bots (not allowed before, allowed now); how long imported games are kept (for ever before, 30"
    )
    assert f"changed the settings: {said} days now)" in page
    assert "how many daily backups are kept (0 before, 7 now)" in page
    await site.store.desk.record(DeskEntry("of 1.1", site.now(), ROOT, Deed.SETTINGS, detail="lead chat_kept_days"))
    assert "the words of the front page; how long chats are kept\n" in await page_of(host, "/host/log")


async def test_what_cannot_be_is_refused_and_shown_again(site, host):
    for wrong in (
        {"lead": "x" * (LONGEST_LEAD + 1)},
        {"contact": "javascript:alert(1)"},
        {"contact": "http://example.org"},
        {"privacy": "x" * 4_001},
    ):
        status, page = await save(site, host, **{**FIELDS, **wrong})
        assert (status, "Library Street 1" in page) == (400, True)
    assert (await site.store.site_settings.read()).rev == 0


async def test_another_node_takes_it_over_by_its_next_look_and_never_goes_back(site):
    other = LivePlay(site.store, site.variants)
    await change_house(site.store.site_settings, lambda _: House(lead="New.", bots_rated=True), ROOT, site.now())
    newest = await site.store.site_settings.read()
    assert other.settings.current.house == House()
    await other.settings.refresh()
    assert other.settings.current == newest
    assert other.services.bots.may_be_rated


async def test_what_the_environment_sets_is_shown_and_stays(server, site, host, ben, monkeypatch):
    given = site.settings.model_copy(update={"host_contact": "mailto:env@example.org", "bots_rated": False})
    monkeypatch.setattr(type(site), "settings", given, raising=False)
    page = await page_of(host, SETTINGS)
    assert "Set in the environment of the server" in page
    assert 'value="mailto:env@example.org" disabled' in page
    assert 'name="contact"' not in page
    assert await save(site, host, **FIELDS) == f"{SETTINGS}?done"
    house = (await site.store.site_settings.read()).house
    assert (house.contact, house.bots_rated, house.lead) == ("", False, FIELDS["lead"])


@pytest.mark.parametrize("given", [True, False])
async def test_whether_bots_play_rated_games_is_decided_by_the_environment_if_it_says_so(site, given):
    node = LivePlay(site.store, site.variants, bots_rated=given)
    await change_house(site.store.site_settings, lambda _: House(bots_rated=not given), ROOT, site.now())
    await node.settings.refresh()
    assert node.services.bots.may_be_rated == given
