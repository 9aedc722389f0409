"""Web push tells people what they want to be told, and nothing in their quiet hours, but in the morning what is so."""

import asyncio
from functools import partial

import pytest

from server.mail.quiet_hours import HOUR_MS
from server.storage.tables.outbox import BY_PUSH, Mailbox
from server.web.notifications.digests import DIGESTS
from server.web.notifications.notifier import NOTIFIER
from server.web.notifications.teller import TELLER
from server.web.site import SITE
from tests.support.mail.games_of_days import DAYS, game_of, offer, play_alone, resign, under_way
from tests.support.quiet_hours import NIGHT, ZONE, turn_to
from tests.support.web.accounts import go, register
from tests.support.web.people import BLITZ


@pytest.fixture
def site(server, reached, clock):
    """Web push reaches a service of the tests."""
    _, server.app[NOTIFIER].push = reached
    return server.app[SITE]


@pytest.fixture
def morning(site, server, clock, pushed):
    """Lets the night pass; gives what is pushed at its end."""

    async def wait():
        assert await pushed() == []
        turn_to(clock, 6, 59)
        await server.app[DIGESTS].tell_due()
        assert await pushed() == []
        turn_to(clock, 7)
        await server.app[DIGESTS].tell_due()
        told = await pushed()
        await server.app[DIGESTS].tell_due()
        assert await pushed() == []
        return told

    return wait


async def night(person, clock):
    assert await go(person, "/account/notifications", **NIGHT) == "/account"
    turn_to(clock, 23)


async def test_a_turn_at_night_is_pushed_in_the_morning(anna, ben, clock, morning, pushed):
    await night(anna, clock)
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    (told,) = await morning()
    assert (told["url"], "your move" in told["title"]) == (f"/{game['id']}", True)


async def test_several_are_one_message_that_leads_to_the_list(anna, ben, clock, morning):
    await night(anna, clock)
    for _ in range(3):
        await play_alone(ben, await game_of(ben, anna), "e2e4", 0)
    (told,) = await morning()
    assert told["title"] == "There is news of 3 games."
    assert told["url"] == "/games/mine"


@pytest.mark.parametrize("dies", [False, True])
async def test_a_turn_that_is_outdated_by_then_is_not_pushed(anna, ben, site, server, clock, morning, pushed, dies):
    """Also if the process that stored the next move has told nobody of it."""
    await night(anna, clock)
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    assert await pushed() == []
    if dies:
        site.live.services.events._subscribers.remove(server.app[TELLER].hear)
    await play_alone(anna, game, "e7e5", 1)
    assert await morning() == []


async def test_in_the_morning_nothing_is_pushed_of_a_game_whose_board_is_open_then(anna, ben, clock, morning, pushed):
    await night(anna, clock)
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    assert await pushed() == []
    async with anna.follow(game) as socket:
        await socket.until("snapshot")
        assert await morning() == []


async def test_who_comes_to_the_board_before_a_push_is_sent_gets_none(anna, ben, site, server, pushed):
    game = await game_of(ben, anna)
    digests, waiting = server.app[DIGESTS], []
    soon, digests.tell_soon = digests.tell_soon, waiting.extend
    await play_alone(ben, game, "e2e4", 0)
    assert await pushed() == []
    assert waiting == [Mailbox((await anna.get("/api/me"))["id"], BY_PUSH)]
    async with anna.follow(game) as socket:
        await socket.until("snapshot")
        soon(waiting)
        assert await pushed() == []


async def test_what_a_process_that_died_was_to_push_at_once_is_pushed_by_the_next_one_to_look(
    anna, ben, site, server, pushed
):
    game = await game_of(ben, anna)
    died, lives = server.app[DIGESTS], server.app[DIGESTS].tell_due
    died.tell_soon = lambda mailboxes: None
    await play_alone(ben, game, "e2e4", 0)
    assert await pushed() == []
    await asyncio.gather(lives(), lives())
    (told,) = await pushed()
    assert (told["url"], "your move" in told["title"]) == (f"/{game['id']}", True)
    await lives()
    assert await pushed() == []


async def test_offers_challenges_and_results_of_the_night_are_told_as_they_stand(anna, ben, clock, morning):
    await register(ben, "Ben")
    await night(anna, clock)
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    await resign(ben, game)
    (told,) = await morning()
    assert told["title"] == "You won against Ben."
    turn_to(clock, 23)
    challenge = await ben.challenge(clock=DAYS, to="Anna")
    (told,) = await morning()
    assert (told["title"], told["url"]) == ("Ben challenges you", f"/{challenge['id']}")


async def test_a_challenge_to_a_game_by_the_minute_waits_for_the_morning_too(anna, ben, clock, morning):
    await register(ben, "Ben")
    await night(anna, clock)
    challenge = await ben.challenge(clock=BLITZ, to="Anna")
    (told,) = await morning()
    assert (told["title"], told["url"]) == ("Ben challenges you", f"/{challenge['id']}")


async def test_who_wants_no_challenges_gets_none_to_a_game_by_the_minute(anna, ben, pushed):
    await register(ben, "Ben")
    for often, number in (("never", 0), ("at_once", 1)):
        await go(anna, "/account/notifications", challenges=often)
        await ben.challenge(clock=BLITZ, to="Anna")
        assert len(await pushed()) == number


async def test_a_game_by_the_minute_that_began_at_night_is_no_news_in_the_morning(anna, ben, clock, morning):
    await night(anna, clock)
    await ben.join(await anna.challenge(clock=BLITZ))
    assert await morning() == []


async def test_nobody_is_told_of_an_opponent_at_night(anna, ben, clock, morning):
    await anna.post("/api/alerts", 201)
    await night(anna, clock)
    await ben.post("/api/seeks", 201, variants=["grand"], clock=BLITZ)
    assert await morning() == []


@pytest.mark.parametrize("kind", ["turns", "results", "challenges"])
async def test_kinds_that_somebody_does_not_want_are_not_pushed(anna, ben, pushed, kind):
    await register(ben, "Ben")
    await go(anna, "/account/notifications", **{kind: "never"})
    game, told = await game_of(ben, anna), []
    for happens in (
        partial(play_alone, ben, game, "e2e4", 0),
        partial(resign, ben, game),
        partial(ben.challenge, clock=DAYS, to="Anna"),
    ):
        await happens()
        told += await pushed()
    words = {"turns": "your move", "results": "won", "challenges": "challenges"}
    said = " ".join(one["title"] for one in told)
    assert [name for name, word in words.items() if word in said] == [name for name in words if name != kind]


async def test_a_kind_that_is_not_wanted_any_more_in_the_morning_is_not_pushed(anna, ben, clock, morning):
    await night(anna, clock)
    await play_alone(ben, await game_of(ben, anna), "e2e4", 0)
    await go(anna, "/account/notifications", **NIGHT, turns="never")
    assert await morning() == []


async def test_a_pause_of_the_night_is_told_as_such_in_the_morning(anna, ben, clock, morning, pushed):
    await register(ben, "Ben")
    game = await game_of(ben, anna)
    for ply, (player, uci) in enumerate(((ben, "e2e4"), (anna, "e7e5"))):
        await play_alone(player, game, uci, ply)
    await offer(anna, game, "pause")
    # By day, at once.
    await pushed()
    await night(anna, clock)
    async with ben.follow(game) as socket:
        snapshot = await socket.until("snapshot")
        assert (await socket.command(t="accept", offer=snapshot["offers"][0]["offer"]))["t"] == "ok"
    (told,) = await morning()
    assert told["title"] == "Ben agrees: the game is paused."


@pytest.fixture
def at_the_hour(server, clock, pushed):
    """Turns the clock to the next full hour, or by that much; gives what is pushed then."""

    async def wait(turn=None):
        clock.turn(HOUR_MS - clock() % HOUR_MS if turn is None else turn)
        await server.app[DIGESTS].tell_due()
        return await pushed()

    return wait


async def test_turns_are_pushed_hourly_in_one_message_where_that_was_chosen(anna, ben, pushed, at_the_hour):
    assert await go(anna, "/account/notifications", turns="hourly") == "/account"
    assert (await anna.get("/account/export"))["told"]["by_push"]["turn"] == "hourly"
    games = [await game_of(ben, anna) for _ in range(3)]
    for game in games:
        await play_alone(ben, game, "e2e4", 0)
    assert await pushed() == []
    (told,) = await at_the_hour()
    assert told["title"] == "There is news of 3 games."
    await play_alone(anna, games[0], "e7e5", 1)
    await play_alone(ben, games[0], "d2d4", 2)
    assert await pushed() == []
    (told,) = await at_the_hour()
    assert (told["url"], "your move" in told["title"]) == (f"/{games[0]['id']}", True)
    assert await at_the_hour() == []


async def test_what_was_held_is_not_told_beside_what_comes_at_once(anna, ben, clock, pushed, at_the_hour):
    await register(ben, "Ben")
    turn_to(clock, 9)
    assert await go(anna, "/account/notifications", turns="daily", zone=ZONE) == "/account"
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    assert await pushed() == []
    await resign(ben, game)
    (told,) = await pushed()
    assert told["title"] == "You won against Ben."
    other = await game_of(ben, anna)
    await play_alone(ben, other, "e2e4", 0)
    assert await at_the_hour(22 * HOUR_MS) == []
    (told,) = await at_the_hour(HOUR_MS)
    assert told["url"] == f"/{other['id']}"


async def test_a_reminder_takes_the_place_of_the_turn_that_is_still_held(anna, ben, server, pushed, at_the_hour, clock):
    turn_to(clock, 9)
    assert await go(anna, "/account/notifications", turns="daily", zone=ZONE) == "/account"
    await under_way(ben, anna, days=1)
    assert await pushed() == []
    clock.turn(12 * HOUR_MS)
    await server.app[SITE].rounds.remind_players()
    (told,) = await pushed()
    assert "left" in told["title"]
    assert await at_the_hour(11 * HOUR_MS) == []
