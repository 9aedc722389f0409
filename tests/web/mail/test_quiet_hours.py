"""In their quiet hours people are mailed nothing about games; when those are over one mail says what is still so."""

import pytest

from server.storage.tables.notification_settings import NotificationSettings
from server.web.notifications.digests import DIGESTS
from server.web.site import SITE
from tests.support.mail.games_of_days import game_of, play_alone
from tests.support.mail.mail_server import text_of
from tests.support.mail.told import told_at
from tests.support.quiet_hours import NIGHT, ZONE, turn_to
from tests.support.web.accounts import PASSWORD, go, page_of, register

BOX = "anna@example.org"
CHOICE = "/account/notifications"


@pytest.fixture
async def member(anna, post_office, clock):
    """Anna, who wants to be told of everything at once, but not at night."""
    await register(anna, "Anna")
    await told_at(anna, post_office, BOX, turns="at_once", results="at_once", challenges="at_once")
    assert await go(anna, CHOICE, **NIGHT) == "/account"
    return anna


@pytest.fixture
def at(server, post_office, clock, all_sent):
    """Lets it become so late, and gives the mails that have come by then since the last look."""

    async def wait(hour, minute=0):
        await all_sent()
        before = len(post_office.mails)
        turn_to(clock, hour, minute)
        await server.app[DIGESTS].tell_due()
        await all_sent()
        return post_office.mails[before:]

    return wait


async def test_what_happens_at_night_is_told_in_the_morning_in_one_mail(member, ben, at):
    await at(23, 30)
    for _ in range(2):
        await play_alone(ben, await game_of(ben, member), "e2e4", 0)
    assert await at(6, 59) == []
    (mail,) = await at(7)
    assert mail["Subject"] == "2 games wait for you"
    assert await at(9) == []


async def test_where_she_has_moved_before_the_morning_there_is_nothing_to_tell(member, ben, at):
    await at(23)
    game = await game_of(ben, member)
    await play_alone(ben, game, "e2e4", 0)
    await at(2)
    await play_alone(member, game, "e7e5", 1)
    assert await at(7) == []


async def test_by_day_she_is_told_at_once(member, ben, at, post_office):
    await at(21, 59)
    await play_alone(ben, await game_of(ben, member), "e2e4", 0)
    await post_office.delivered(1)


async def test_a_reminder_waits_for_the_morning_too(member, ben, at, server, post_office):
    await at(12)
    game = await game_of(ben, member, {"kind": "correspondence", "days": 1})
    for ply, (player, uci) in enumerate(((ben, "e2e4"), (member, "e7e5"), (ben, "g1f3"))):
        await play_alone(player, game, uci, ply)
    await at(0, 30)
    before = len(post_office.mails)
    await server.app[SITE].rounds.remind_players()
    assert await at(6, 59) == []
    (mail,) = await at(7)
    assert text_of(mail).startswith("Your time for this move: ")
    assert "It is your move." in text_of(mail)
    assert len(post_office.mails) == before + 1


async def test_quiet_hours_that_are_chosen_later_hold_for_what_is_held_already(member, ben, at):
    await go(member, CHOICE, zone=ZONE)
    await go(member, "/account/mail/wishes", address=BOX, turns="hourly")
    await at(21, 30)
    games = [await game_of(ben, member) for _ in range(2)]
    for game in games:
        await play_alone(ben, game, "e2e4", 0)
    await go(member, CHOICE, **NIGHT)
    assert await at(22, 30) == []
    await play_alone(member, games[0], "e7e5", 1)
    (mail,) = await at(7)
    assert mail["References"].startswith(f"<{games[1]['id']}@")


async def test_daily_news_come_at_eight_where_she_lives(member, ben, at):
    await go(member, "/account/mail/wishes", address=BOX, turns="daily")
    await at(12)
    await play_alone(ben, await game_of(ben, member), "e2e4", 0)
    assert await at(7, 59) == []
    assert len(await at(8)) == 1


class TestForm:
    async def test_the_browsers_zone_is_offered_until_one_is_chosen(self, anna, server):
        await register(anna, "Anna")
        assert "data-unset" in await page_of(anna)
        await go(anna, CHOICE, **NIGHT)
        page = await page_of(anna)
        assert "data-unset" not in page
        assert f"<option selected>{ZONE}</option>" in page
        assert 'value="22:00"' in page
        assert 'value="07:00"' in page

    @pytest.mark.parametrize(
        ("fields", "sentence"),
        [
            ({"zone": "Middle/Earth"}, "We do not know this time zone."),
            ({"quiet_from": "22:00"}, "Quiet hours need a beginning and an end."),
            ({"quiet_until": "07:00"}, "Quiet hours need a beginning and an end."),
        ],
    )
    async def test_what_makes_no_sense_is_refused_with_the_reason_and_nothing_kept(
        self, member, server, fields, sentence
    ):
        owner = (await member.get("/api/me"))["id"]
        before = await server.app[SITE].store.notification_settings.of(owner)
        status, page = await go(member, CHOICE, **fields)
        assert (status, sentence in page) == (400, True)
        assert await server.app[SITE].store.notification_settings.of(owner) == before

    @pytest.mark.parametrize("fields", [{"quiet_from": "24:00", "quiet_until": "7:00"}, {"reminders": "hourly"}])
    async def test_what_no_page_sends_is_refused(self, member, fields):
        assert (await go(member, CHOICE, **fields))[0] == 400

    async def test_guests_are_sent_to_sign_in(self, anna):
        assert await go(anna, CHOICE, **NIGHT) == "/sign-in?next=/account"

    async def test_it_goes_with_the_account(self, member, server):
        owner = (await member.get("/api/me"))["id"]
        await go(member, "/account/delete", password=PASSWORD)
        assert await server.app[SITE].store.notification_settings.of(owner) == NotificationSettings(owner)
