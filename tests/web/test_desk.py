"""The host's desk, by its forms: who may enter which room, what is asked for again, and what the log has of it."""

import itertools
import re
from contextlib import suppress
from dataclasses import replace

import pytest

from server.games.clocks.time_control import DAY_MS
from server.games.desk import DEEDS_BY_SUBJECT, NOBODY, ROOMS, Deed, DeskEntry, Role, Room
from server.games.player import Player
from server.realtime.runtime.ids import digest
from server.realtime.services.desk import delete_account, give_role, give_role_to_account, make_claim
from server.storage.admin_commands import DeleteGame, DeletePlayer, ListReports, RemoveNotice
from server.storage.errors import NotStored, Unavailable
from server.storage.tables.accounts import PasswordChanged
from server.storage.tables.notices import LATE_MS, SiteNotice
from server.web import desk
from server.web.accounts.export import instant
from server.web.desk import CONFIRMED, CONFIRMED_MS
from server.web.operation.host_commands import carry_out_command
from server.web.operation.housekeeping import invite_first_host
from server.web.site import SITE
from tests.support.web.accounts import PASSWORD, go, page_of, register
from tests.support.web.desk import ROOT, person_called
from tests.support.web.people import BLITZ

POSTS = {
    Room.REPORTS: ("/host/reports/close", {"about": "0123456789", "read": "1", "outcome": "unclear"}),
    Room.JOINING: ("/host/joining/invitations", {"code": "23456789AB", "uses": "1", "hours": "1"}),
    Room.CHATS: ("/host/chats/words", {"words": "", "rev": "0"}),
    Room.NOTICE: ("/host/notice", {"id": "one", "text": "Hello.", "days": "1"}),
    Room.SETTINGS: ("/host/settings", {"lead": "Hello.", "rev": "0"}),
    Room.SITE: ("/host/site/backups", {"kept": "7"}),
    Room.ROLES: ("/host/roles", {"name": "Ben", "role": "organiser", "password": PASSWORD}),
}


async def become_host(site, person, name="Anna"):
    await register(person, name)
    await make_claim(site.store.desk, digest("code"), ROOT, site.now())
    assert await go(person, "/host/claim", token="code") == "/host"
    assert await go(person, "/host/password", password=PASSWORD) == "/host"


@pytest.fixture
async def site(server):
    """After its first start, which makes a link of its own."""
    await invite_first_host(server.app[SITE])
    return server.app[SITE]


async def log_of(site):
    return [(one.by.name, one.deed, one.whom.name, one.detail) for one in await site.store.desk.log(site.now(), 99)][
        ::-1
    ]


async def test_the_first_start_offers_the_site_to_who_opens_the_link_of_the_log(server, site, anna):
    desk = await site.store.desk.read()
    assert desk.rev == 1
    assert desk.claim
    assert "sign-in?next=/host/claim" in await page_of(anna, "/host/claim")
    assert (await go(anna, "/host/claim", token="x"))[0] == 403
    await register(anna, "Anna")
    assert (await go(anna, "/host/claim", token="x"))[0] == 403
    assert (await site.store.desk.read()) == desk


@pytest.mark.usefixtures("unlimited")
async def test_the_link_makes_one_host_and_pressing_twice_harms_nobody(site, anna, ben):
    await become_host(site, anna)
    await register(ben, "Ben")
    assert await go(anna, "/host/claim", token="code") == "/host"
    status, page = await go(ben, "/host/claim", token="code")
    assert status == 403
    assert "This link is not good any more." in page
    assert (await site.store.desk.read()).hosts == ((await site.store.accounts.find("Anna")).user,)
    assert (await log_of(site))[1:] == [("root", "claim", "", "made"), ("Anna", "claim", "Anna", "used")]


@pytest.mark.usefixtures("unlimited")
async def test_every_room_is_open_to_the_roles_that_have_it_and_to_nobody_else(site, anna, ben, carla):
    """Each role, none, a guest and a stranger at each page and form; a role that was taken away is gone at once."""
    await become_host(site, anna)
    await register(ben, "Ben")
    before = await person_called(site, "Ben")
    for role, room in itertools.product((*Role, None), Room):
        await give_role(site.store.desk, before, Role.HOST if role is None else role, ROOT, site.now())
        assert await go(ben, "/host/password", password=PASSWORD) == "/host"
        await give_role(site.store.desk, before, role, ROOT, site.now())
        allowed = role is not None and room in ROOMS[role]
        async with ben.http.get(f"/host/{room}") as page:
            assert page.status == (200 if allowed else 403), (role, room)
        async with ben.http.get("/host") as page:
            assert page.status == (403 if role is None else 200)
            assert (f'href="/host/{room}"' in await page.text()) == allowed
        if room in POSTS:
            path, fields = POSTS[room]
            answer = await go(ben, path, **fields)
            assert isinstance(answer, str) == allowed, (role, room, answer)
    for stranger in (carla,):
        for path in ("/host", *(f"/host/{room}" for room in Room)):
            assert (await page_of(stranger, path)) == f"/sign-in?next={path}"
        await stranger.post("/api/guest")
        for path, fields in POSTS.values():
            assert (await go(stranger, path, **fields))[0] == 403


@pytest.mark.usefixtures("unlimited")
async def test_the_password_is_asked_for_again_and_in_every_browser(site, anna, ben, clock):
    await become_host(site, anna)
    assert "Reports" in await page_of(anna, "/host")
    assert (await go(ben, "/sign-in", name="Anna", password=PASSWORD)) == "/"
    assert 'action="/host/password"' in await page_of(ben, "/host/roles")
    assert (await go(ben, "/host/notice", id="one", text="Hello.", days="1"))[0] == 403
    assert (await go(ben, "/host/password", password="not this one"))[0] == 403
    stolen = {one.key: one.value for one in anna.http.cookie_jar}[CONFIRMED]
    ben.http.cookie_jar.update_cookies({CONFIRMED: stolen}, response_url=ben.http._base_url)
    assert 'action="/host/password"' in await page_of(ben, "/host/roles"), "the cookie belongs to a session"
    clock.turn(CONFIRMED_MS)
    assert 'action="/host/password"' in await page_of(anna, "/host/reports")
    assert await go(anna, "/host/password", password=PASSWORD, next="/host/reports") == "/host/reports"
    assert await go(anna, "/host/password", password=PASSWORD, next="/account") == "/host"


@pytest.mark.usefixtures("unlimited")
async def test_a_report_is_read_and_closed_once_with_one_line_in_the_log(site, anna, ben):
    await become_host(site, anna)
    await register(ben, "Ben")
    await go(ben, "/report", name="Anna", kind="insults", text="<b>Rude</b>.")
    assert "1 open report" in await page_of(anna, "/host")
    assert "About Anna" in await page_of(anna, "/host/reports")
    (told,) = await site.store.reports.open(9)
    assert "&lt;b&gt;Rude&lt;/b&gt;." in await page_of(anna, f"/host/reports?about={told.about.id}")
    verdict = {"about": told.about.id, "read": str(site.now()), "outcome": "unclear"}
    for _ in range(2):
        assert await go(anna, "/host/reports/close", **verdict) == "/host/reports?done"
    assert list(await site.store.reports.open(9)) == []
    assert (await log_of(site))[3:] == [("Anna", "report", "Anna", "unclear 1")]
    assert "closed the reports about Anna: Unclear" in await page_of(anna, "/host/log")


@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize(
    ("address", "chosen"), [("/host/notice", {"days": "2"}), ("/host/notice/restart", {"minutes": "5"})]
)
@pytest.mark.parametrize("removed_by", ["a form", "a command"])
async def test_what_is_removed_and_posted_again_at_once_by_the_same_form_is_logged_twice(
    site, anna, clock, address, chosen, removed_by
):
    await become_host(site, anna)
    for _ in range(2):
        for _ in range(2):
            assert await go(anna, address, id="one", text="Hello.", **chosen) == "/host/notice?done"
        clock.turn(1_000)
        if removed_by == "a form":
            posted = (await site.store.notices.current()).posted
            assert await go(anna, "/host/notice/remove", posted=str(posted)) == "/host/notice?done"
        else:
            await carry_out_command(site.store, RemoveNotice(), site.now(), "", lambda _: None, "root")
    deeds = [deed for _, deed, *_ in (await log_of(site))[3:]]
    assert [deed for deed in deeds if deed in ("notice", "restart")] == [deeds[0]] * 2
    assert len(deeds) == 4, "what was pressed twice is one line"


@pytest.mark.usefixtures("unlimited")
async def test_a_notice_is_shown_on_every_page_and_removed_again(site, anna, ben):
    await become_host(site, anna)
    for text, days in (("", "1"), ("x" * 3000, "1"), ("Hello", "999")):
        assert (await go(anna, "/host/notice", id="wrong", text=text, days=days))[0] == 400
    assert (
        await go(anna, "/host/notice", id="one", text="We move\r\non <b>Sunday</b>.", days="2") == "/host/notice?done"
    )
    assert "on &lt;b&gt;Sunday&lt;/b&gt;." in await page_of(ben, "/rules")
    first = (await site.store.notices.current()).posted
    for _ in range(2):
        assert await go(anna, "/host/notice", id="two", text="Another one.", days="2") == "/host/notice?done"
    assert await go(anna, "/host/notice/remove", posted=str(first)) == "/host/notice?done"
    assert "Another one." in await page_of(ben, "/rules"), "it is not the one that was on the page"
    second = (await site.store.notices.current()).posted
    for _ in range(2):
        assert await go(anna, "/host/notice/remove", posted=str(second)) == "/host/notice?done"
    assert "Another one." not in await page_of(ben, "/rules")
    assert await go(anna, "/host/notice", id="three", text="Another one.", days="2") == "/host/notice?done"
    deeds = [deed for _, deed, *_ in (await log_of(site))[3:]]
    assert deeds == ["notice", "notice", "notice_removed", "notice"]
    third = (await site.store.notices.current()).posted
    assert await go(anna, "/host/notice/remove", posted=str(third)) == "/host/notice?done"
    assert await go(anna, "/host/notice", id="four", text="Another one.", days="2") == "/host/notice?done"
    assert [deed for _, deed, *_ in await log_of(site)][-2:] == ["notice_removed", "notice"], "said once more"
    # A browser sends whatever id it likes.
    assert await go(anna, "/host/notice", id="four", text="Buy here.", days="2") == "/host/notice?done"
    assert await go(anna, "/host/notice/restart", id="four", text="Buy here.", minutes="5") == "/host/notice?done"
    assert await go(anna, "/host/notice/restart", id="four", text="Buy now.", minutes="5") == "/host/notice?done"
    last = [(deed, detail) for _, deed, _, detail in (await log_of(site))[-3:]]
    assert last == [("notice", "Buy here."), ("restart", "5 Buy here."), ("restart", "5 Buy now.")]


@pytest.mark.usefixtures("unlimited")
async def test_an_announced_restart_counts_down_and_pairs_nobody_until_it_is_over_or_withdrawn(site, anna, ben, clock):
    await become_host(site, anna)
    seek = {"variants": ["chess"], "clock": BLITZ}
    assert (await go(anna, "/host/notice/restart", id="one", text=" ", minutes="10"))[0] == 400
    for _ in range(2):
        assert await go(anna, "/host/notice/restart", id="one", text="We update.", minutes="10") == "/host/notice?done"
    assert [line for line in await log_of(site) if line[1] == "restart"] == [("Anna", "restart", "", "10 We update.")]
    assert 'data-ms="600000">10:00</b> <span>We update.' in await page_of(ben, "/rules")
    clock.turn(60_500)
    assert 'data-ms="539500">8:59</b>' in await page_of(ben, "/rules"), "the page is cached, the countdown is not"
    await ben.post("/api/guest")
    assert (await ben.post("/api/seeks", 403, **seek))["refusal"] == "restart_soon"
    for later, shown in ((0, 'data-ms="539500">8:59</b>'), (10 * 60_000, 'data-ms="0">0:00</b>')):
        clock.turn(later)
        assert shown in await page_of(ben, "/rules"), "nobody has restarted it yet"
    await ben.post("/api/seeks", 403, **seek)
    posted = (await site.store.notices.current()).posted
    assert await go(anna, "/host/notice/remove", posted=str(posted)) == "/host/notice?done"
    assert await ben.post("/api/seeks", 201, **seek)
    again = {"text": "We update.", "minutes": "10"}
    assert await go(anna, "/host/notice/restart", id="two", **again) == "/host/notice?done"
    assert [line[1] for line in await log_of(site)][-3:] == ["restart", "notice_removed", "restart"]
    assert "announced a restart in 10 minutes: We update." in await page_of(anna, "/host/log")
    ids = re.findall(r'name="id" value="(\w+)"', await page_of(anna, "/host/notice"))
    assert len(ids) == 2


@pytest.mark.parametrize(
    ("began", "after", "due", "due_among_others"),
    [
        *((500, 599_999, True, True), (2_000, 1_500, False, True), (2_000, 600_000, False, False)),
        *((500, 1_499_999, True, True), (500, 1_500_000, False, False)),
    ],
    ids=["it waits", "it was restarted before its time", "its time has come", "it is late", "it is given up"],
)
def test_a_restart_is_over_once_it_has_been_or_is_given_up(began, after, due, due_among_others):
    """One of several processes that begins anew pairs nobody before the announced time: the others are still to go."""
    notice = SiteNotice("We update.", 1_000, 1_000 + 600_000 + LATE_MS, 1_000 + 600_000)
    assert notice.is_due(1_000 + after, began, alone=True) is due
    assert notice.is_due(1_000 + after, began, alone=False) is due_among_others


@pytest.mark.parametrize("alone", [True, False])
def test_another_notice_is_shown_after_a_restart_too(alone):
    assert SiteNotice("We move.", 1_000, 600_000).is_due(3_000, 2_000, alone=alone)


@pytest.mark.usefixtures("unlimited")
async def test_the_last_host_cannot_go_before_somebody_else_has_the_role(site, anna, ben):
    await become_host(site, anna)
    await register(ben, "Ben")
    said = "A site that has a host keeps one"
    status, page = await go(anna, "/host/roles", name="Anna", role="", password=PASSWORD)
    assert (status, said in page) == (403, True)
    status, page = await go(anna, "/account/delete", password=PASSWORD)
    assert (status, said in page) == (403, True)
    with pytest.raises(NotStored, match=said):
        await carry_out_command(site.store, DeletePlayer("Anna", sure=True), site.now(), "", print, "root")
    assert (await go(anna, "/host/roles", name="Ben", role="host", password="wrong one"))[0] == 403
    assert (await go(anna, "/host/roles", name="Nobody", role="host", password=PASSWORD))[0] == 404
    assert await go(anna, "/host/roles", name="Ben", role="host", password=PASSWORD) == "/host/roles?done"
    assert await go(anna, "/account/delete", password=PASSWORD) == "/sign-in?deleted"
    assert (await site.store.desk.read()).hosts == ((await site.store.accounts.find("Ben")).user,)
    assert (await log_of(site))[-1] == ("Anna", "left", "Anna", "host")


@pytest.mark.usefixtures("unlimited")
async def test_who_is_no_host_any_more_gives_no_role_with_what_is_under_way(site, anna, ben, monkeypatch):
    await become_host(site, anna)
    await register(ben, "Ben")
    accounts = {name: await site.store.accounts.find(name) for name in ("Anna", "Ben")}
    people = {name: Player(one.user, one.name) for name, one in accounts.items()}
    await give_role(site.store.desk, people["Ben"], Role.HOST, ROOT, site.now())

    async def demoted_first(*arguments):
        await give_role(site.store.desk, people["Anna"], None, people["Ben"], site.now())
        await give_role_to_account(*arguments)

    monkeypatch.setattr(desk, "give_role_to_account", demoted_first)
    status, page = await go(anna, "/host/roles", name="Anna", role="host", password=PASSWORD)
    assert (status, "you are not one any more" in page) == (403, True)
    assert (await site.store.desk.read()).hosts == (people["Ben"].id,)


@pytest.mark.usefixtures("unlimited")
async def test_a_role_never_outlives_its_account_and_an_account_keeps_it_if_it_stays(site, anna, ben, monkeypatch):
    await become_host(site, anna)
    await register(ben, "Ben")
    store, account = site.store, await site.store.accounts.find("Ben")
    await give_role_to_account(store.desk, store.accounts, store.sanctions, account, Role.MODERATOR, ROOT, site.now())
    there = store.accounts.delete

    async def store_is_away(*_):
        raise Unavailable("down for a moment")

    monkeypatch.setattr(store.accounts, "delete", store_is_away)
    with pytest.raises(Unavailable):
        await delete_account(store.desk, store.accounts, account, site.now() + 9, site.now(), ROOT)
    assert (await store.desk.read()).role_of(account.user) is Role.MODERATOR
    assert await page_of(ben, "/host/reports")
    assert "moderator; their account is being deleted" in await page_of(anna, "/host/roles")
    monkeypatch.setattr(store.accounts, "delete", there)
    changed = replace(account, password="another hash")
    with pytest.raises(PasswordChanged):
        await delete_account(store.desk, store.accounts, changed, site.now() + 9, site.now(), ROOT)
    assert (await store.desk.read()).role_of(account.user) is Role.MODERATOR
    assert not (await store.desk.read()).leaving
    await delete_account(store.desk, store.accounts, account, site.now() + 9, site.now(), ROOT)
    assert (await store.desk.read()).role_of(account.user) is None
    deeds = [line[:3] for line in (await log_of(site))[-4:]]
    assert deeds == [("root", deed, "Ben") for deed in ("leaves", "stays", "leaves", "left")], "it was no deed of Ben's"
    log = await page_of(anna, "/host/log")
    assert "began to delete the account of Ben" in log
    assert "deleted the account of Ben, and with it the role of" in log
    await give_role_to_account(store.desk, store.accounts, store.sanctions, account, Role.HOST, ROOT, site.now())
    assert (await store.desk.read()).role_of(account.user) is None


async def test_commands_that_change_something_are_in_the_log_before_they_are_done(site):
    before = len(await log_of(site))
    for command in (ListReports(), DeleteGame("0123456789", sure=True)):
        with suppress(NotStored):
            await carry_out_command(site.store, command, site.now(), "", print, "root")
    assert (await log_of(site))[before:] == [("root", "command", "", "DeleteGame game='0123456789' sure=True")]


@pytest.mark.usefixtures("unlimited")
async def test_the_log_is_looked_through_by_who_what_about_whom_and_when(site, anna, ben):
    await become_host(site, anna)
    await register(ben, "Ben")
    people = {one: await site.store.accounts.find(one) for one in ("Anna", "Ben")}
    host, other = (Player(one.user, one.name) for one in people.values())
    gone = Player("no longer here", "Gone")
    for number, (by, deed, whom, detail) in enumerate(
        (
            (host, Deed.NOTICE, NOBODY, "Anna tells everybody"),
            (ROOT, Deed.COMMAND, NOBODY, "root deletes"),
            (host, Deed.EXPORTED, other, ""),
            (gone, Deed.HELD_WORDS, NOBODY, "7"),
            (Player("", "ben"), Deed.COMMAND, NOBODY, "ben imports"),
        )
    ):
        at = site.now() - (5 - number) * DAY_MS
        await site.store.desk.record(DeskEntry(f"test {number}", at, by, deed, whom, detail))

    async def found(query):
        async with anna.http.get(f"/host/log?{query}") as answer:
            assert answer.status == 200, query
            return re.findall(
                r"tells everybody|ben imports|root deletes|took a copy|held back; there are 7", await answer.text()
            )

    told, asked, copied, held = "tells everybody", "root deletes", "took a copy", "held back; there are 7"
    first, second = (instant(site.now() - back * DAY_MS)[:10] for back in (5, 4))
    assert await found("") == ["ben imports", held, copied, asked, told]
    assert await found("by=anna") == [copied, told], "in any letters"
    assert await found("by=root") == [asked]
    assert await found("what=command&by=ben") == ["ben imports"], "by commands, though somebody is called so here"
    assert await found("by=Gone") == [held], "of deleted accounts, too"
    assert await found("about=Ben") == [copied]
    assert await found("what=data") == [copied]
    assert await found("what=command&by=Anna") == []
    assert await found(f"since={second}") == ["ben imports", held, copied, asked]
    assert await found(f"to={first}") == [told]
    assert await found(f"since={second}&to={second}&what=&by=&about=") == [asked]
    assert await found("by=nobody") == []
    async with anna.http.get("/host/log?since=2026-02-31") as answer:
        assert answer.status == 400
        assert "There is no such day." in await answer.text()
    assert {deed for deeds in DEEDS_BY_SUBJECT.values() for deed in deeds} == set(Deed)


@pytest.mark.usefixtures("unlimited")
async def test_the_next_page_of_the_log_asks_for_the_same(site, anna, monkeypatch, clock):
    await become_host(site, anna)
    monkeypatch.setattr(desk, "LOG_PAGE", 2)
    for number in range(5):
        clock.turn(1_000)
        entry = DeskEntry(f"test {number}", site.now(), ROOT, Deed.COMMAND, detail=f"number {number}")
        await site.store.desk.record(entry)
        await site.store.desk.record(DeskEntry(f"other {number}", site.now(), ROOT, Deed.SITE, detail="backup"))
    seen, address = [], "/host/log?what=command&by=root"
    while address:
        page = await page_of(anna, address)
        seen += re.findall(r"number \d", page)
        address = next(iter(re.findall(r'href="(/host/log\?[^"]*until=\d+)"', page)), "").replace("&amp;", "&")
    assert seen == [f"number {number}" for number in (4, 3, 2, 1, 0)]
