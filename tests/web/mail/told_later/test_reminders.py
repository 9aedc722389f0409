"""Reminders by mail, of half and a tenth of the time: at once however seldom the turns are told."""

from dataclasses import replace

import pytest

from server.games.clocks.time_control import DAY_MS
from server.mail.quiet_hours import HOUR_MS
from server.mail.wishes import REMINDER
from server.web.notifications.game_news import GameNews
from server.web.notifications.teller import TELLER
from server.web.site import SITE
from tests.support.mail.games_of_days import under_way
from tests.support.mail.mail_server import text_of
from tests.support.mail.told import BOX, told_at
from tests.support.web.accounts import register


def sorted_as(mails, games):
    """The mail about each of `games`."""
    return [next(mail for mail in mails if game["id"] in text_of(mail)) for game in games]


@pytest.fixture
def reminded(server, post_office, clock, all_sent):
    async def remind(turn):
        await all_sent()
        before = len(post_office.mails)
        clock.turn(turn)
        await server.app[SITE].rounds.remind_players()
        await all_sent()
        return post_office.mails[before:]

    return remind


@pytest.mark.parametrize("wishes", [{"turns": "daily"}, {"reminders": "at_once"}, {"turns": "on"}])
async def test_who_has_half_of_the_time_left_and_who_has_a_tenth_is_told_at_once(wishing, ben, reminded, wishes):
    anna = await wishing(**wishes)
    await under_way(ben, anna, 10)
    (half,) = await reminded(5 * DAY_MS)
    name = (await ben.get("/api/me"))["name"]
    assert text_of(half).startswith("Your time for this move: 5 days.")
    assert name in half["Subject"]
    assert "It is your move." in text_of(half)
    (tenth,) = await reminded(4 * DAY_MS)
    assert text_of(tenth).startswith("Your time for this move: 1 day.")
    assert half["Subject"] == tenth["Subject"]
    assert half["Message-ID"] != tenth["Message-ID"]


async def test_their_ids_do_not_tell_whether_the_opponent_has_prepared_moves(wishing, ben, server, reminded):
    anna = await wishing(reminders="at_once")
    games = [await under_way(ben, anna, 10) for _ in range(2)]
    async with ben.follow(games[0]) as socket:
        await socket.until("snapshot")
        steps = ["b8c6", "f1b5"]
        assert (await socket.command(t="conditional", ply=3, steps=steps))["t"] == "ok"
    mails = await reminded(5 * DAY_MS)
    store, writer = server.app[SITE].store, server.app[TELLER]._writer
    guessing = replace(writer, mailer=replace(writer.mailer, key=bytes(32)))
    (address,) = await store.addresses.of((await anna.get("/api/me"))["id"])
    for mail, game in zip(sorted_as(mails, games), games, strict=True):
        stored = await store.load(game["id"])
        about = (GameNews(stored, stored.black, (), [REMINDER]), stored.rev, address)
        own, guessed = [await one.write_letter(*about) for one in (writer, guessing)]
        assert mail["Message-ID"].startswith(f"<{own.id}@")
        assert own.id != guessed.id


@pytest.mark.parametrize("wishes", [{"turns": "daily", "reminders": "never"}, {"results": "on"}])
async def test_nobody_is_reminded_who_does_not_want_it(wishing, ben, reminded, wishes):
    anna = await wishing(**wishes)
    await under_way(ben, anna, 3)
    assert await reminded(2 * DAY_MS) == []


async def test_nobody_is_reminded_with_the_board_open_in_front_of_them(wishing, ben, reminded):
    anna = await wishing(reminders="at_once")
    game = await under_way(ben, anna, 3)
    async with anna.follow(game) as socket:
        await socket.until("snapshot")
        assert await reminded(2 * DAY_MS) == []


async def test_the_reminder_takes_the_place_of_the_turn_that_was_still_to_be_told(wishing, ben, reminded, due, clock):
    anna = await wishing(turns="daily")
    await under_way(ben, anna, 1)
    assert len(await reminded(12 * HOUR_MS)) == 1
    assert await due(11 * HOUR_MS) == []


async def test_what_was_told_the_opponent_still_holds(wishing, ben, reminded, due, post_office):
    await register(ben, "Ben")
    await told_at(ben, post_office, "ben@example.org", turns="daily", reminders="never")
    anna = await wishing(reminders="at_once")
    game = await under_way(ben, anna, 2)
    async with anna.follow(game) as socket:
        await socket.until("snapshot")
        assert (await socket.command(t="offer", kind="takeback"))["t"] == "ok"
    (mail,) = await reminded(DAY_MS)
    assert mail["To"] == BOX
    (mail,) = await due(DAY_MS - HOUR_MS)
    assert mail["To"] == "ben@example.org"


async def test_a_reminder_that_a_crash_left_untold_is_told(wishing, ben, server, clock, at_rest, post_office):
    anna = await wishing(turns="daily")
    await under_way(ben, anna, 3)
    await at_rest()
    mails = server.app[TELLER]
    server.app[SITE].live.services.events._subscribers.remove(mails.hear)
    clock.turn(2 * DAY_MS)
    await server.app[SITE].rounds.remind_players()
    await mails.tell_from_before()
    (mail,) = await post_office.delivered(1)
    assert text_of(mail).startswith("Your time for this move: ")
