"""Players of a tournament are mailed ten minutes before it begins, and the final table when it is over: once, whatever
dies meanwhile, and only if they want to be told.
"""

from dataclasses import replace

import pytest

from server.games.tournaments.tournament import MINUTE_MS, REMIND_MS, TELLING_MS
from server.storage.errors import Unavailable
from server.web.languages import LANGUAGES
from server.web.notifications.tournament_news import TOURNAMENT_TELLER, table_lines
from server.web.site import SITE
from tests.support.mail.mail_server import text_of
from tests.support.mail.told import told_at, told_by_mail
from tests.support.web.accounts import go, register
from tests.support.web.tournaments import SWISS, end_tournament, stop_timers

SECTION = {**SWISS, "format": "robin", "days": "3", "size": "4"}


@pytest.fixture(autouse=True)
def by_hand(monkeypatch):
    stop_timers(monkeypatch)


@pytest.fixture
async def joined(anna, ben, post_office):
    """Announces a tournament, which Anna and Ben join; both are told by mail. Returns its id."""

    async def join(terms):
        await told_by_mail(anna, post_office, "Anna", "anna@example.org")
        await told_by_mail(ben, post_office, "Ben", "ben@example.org")
        path = await go(anna, "/tournaments", **terms)
        for one in (anna, ben):
            assert await go(one, f"{path}/join") == path
        return path.rpartition("/")[2]

    return join


@pytest.fixture
async def cup(joined):
    """The id of a Swiss in a quarter of an hour, which both have joined."""
    return await joined(SWISS)


@pytest.fixture
def mailed(server, post_office, all_sent):
    """The mails that have come since the last look, once all that is due has been told."""

    async def look():
        before = len(post_office.mails)
        await server.app[TOURNAMENT_TELLER].tell_due()
        await all_sent()
        return post_office.mails[before:]

    return look


async def test_all_who_are_in_it_are_reminded_once(server, cup, ben, clock, mailed):
    starts = (await server.app[SITE].store.tournaments.find_tournament(cup)).terms.starts
    clock.turn(starts - REMIND_MS - 1 - server.app[SITE].now())
    assert not await mailed()
    clock.turn(1)
    mails = await mailed()
    assert sorted(mail["To"] for mail in mails) == ["anna@example.org", "ben@example.org"]
    assert {mail["Subject"] for mail in mails} == {"Soon: Cup"}
    assert "Cup begins in 10 minutes." in text_of(mails[0])
    assert f"/tournament/{cup}" in text_of(mails[0])
    assert "unsubscribe" in mails[0]["List-Unsubscribe"]
    clock.turn(5 * MINUTE_MS)
    assert not await mailed()


async def test_who_has_left_is_not_reminded_and_nobody_is_once_it_has_begun(server, cup, ben, clock, mailed):
    assert await go(ben, f"/tournament/{cup}/leave") == f"/tournament/{cup}"
    clock.turn(6 * MINUTE_MS)
    assert [mail["To"] for mail in await mailed()] == ["anna@example.org"]
    later = await go(ben, "/tournaments", **{**SWISS, "key": "swiss99999"})
    assert await go(ben, f"{later}/join") == later
    clock.turn(16 * MINUTE_MS)
    assert not await mailed()


@pytest.mark.parametrize(("terms", "name"), [(SWISS, "Cup"), (SECTION, "Cup, section 1")], ids=["swiss", "robin"])
async def test_all_who_have_played_get_the_final_table_once(server, joined, clock, mailed, terms, name):
    cup = await joined(terms)
    clock.turn(16 * MINUTE_MS)
    await mailed()
    await end_tournament(server.app[SITE], cup)
    mails = {mail["To"]: mail for mail in await mailed()}
    assert sorted(mails) == ["anna@example.org", "ben@example.org"]
    assert {mail["Subject"] for mail in mails.values()} == {f"{name}: the final table"}
    text = text_of(mails["ben@example.org"])
    assert f"{name} is over. Your place: 2 of 2. Your points: 0." in " ".join(text.split())
    assert [line.split() for line in text.splitlines() if line.startswith(" ")] == [
        ["1.", "Anna", "1"],
        ["2.", "Ben", "0"],
    ]
    clock.turn(TELLING_MS)
    assert not await mailed()


async def test_what_a_crash_cut_short_is_told_again_and_nobody_gets_two_mails(server, cup, clock, mailed, monkeypatch):
    site = server.app[SITE]
    clock.turn(16 * MINUTE_MS)
    await end_tournament(site, cup)
    put, calls = site.store.outbox.put, []

    async def dies(mail):
        calls.append(mail.id)
        if len(calls) == 2:
            raise Unavailable("gone")
        return await put(mail)

    monkeypatch.setattr(site.store.outbox, "put", dies)
    assert len(await mailed()) == 1
    assert not await mailed()
    clock.turn(TELLING_MS)
    mails = await mailed()
    assert len({mail["Message-ID"] for mail in mails} | {f"<{calls[0]}@chess.example.org>"}) == 2
    assert (await site.store.tournaments.find_tournament(cup)).news_at == 0


async def test_who_wants_no_results_gets_no_table_and_who_wants_them_daily_gets_it_in_the_morning(
    server, anna, ben, post_office, clock, mailed, all_sent
):
    site = server.app[SITE]
    await register(anna, "Anna")
    await told_at(anna, post_office, "anna@example.org", turns="at_once")
    await register(ben, "Ben")
    await told_at(ben, post_office, "ben@example.org", results="daily")
    path = await go(anna, "/tournaments", **SWISS)
    for one in (anna, ben):
        await go(one, f"{path}/join")
    clock.turn(16 * MINUTE_MS)
    await end_tournament(site, path.rpartition("/")[2])
    await server.app[TOURNAMENT_TELLER].tell_due()
    (mail,) = await site.store.outbox.due(site.now() + 24 * 60 * MINUTE_MS, 9)
    assert mail.address == "ben@example.org"
    assert mail.next_try > site.now()


async def test_where_the_end_is_not_known_yet_its_table_is_told_later(server, cup, clock, mailed):
    site = server.app[SITE]
    live, kept = site.live.tournaments, site.store.tournaments
    clock.turn(16 * MINUTE_MS)
    await mailed()
    await end_tournament(site, cup)
    # Another process has ended it, and its word has not come.
    room = live._rooms[cup]
    await live.look(cup)
    room.tournament, room.view = replace(room.tournament, over=0, winner=None), None
    assert not await mailed()
    assert (await kept.find_tournament(cup)).news_at
    clock.turn(TELLING_MS)
    assert {mail["Subject"] for mail in await mailed()} == {"Cup: the final table"}
    assert not (await kept.find_tournament(cup)).news_at


async def test_whose_account_was_deleted_is_in_the_table_by_the_words_of_the_reader_s_language(server, cup, ben, clock):
    site = server.app[SITE]
    clock.turn(16 * MINUTE_MS)
    await end_tournament(site, cup)
    await site.store.forget_owned((await site.store.accounts.find("anna")).user)
    site.live.tournaments.catch_up()
    view = await site.live.tournaments.look(cup)
    table = table_lines(server.app[LANGUAGES]["es"], view, view.sheets[1])
    assert [line.split(maxsplit=1)[1] for line in table] == ["(cuenta borrada)  1", "Ben               0"]
