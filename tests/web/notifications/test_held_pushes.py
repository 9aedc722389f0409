"""Web push tells people what they want to be told, and nothing in their quiet hours, but in the morning what is so."""

import pytest

from server.realtime.play import stall_watchdog
from server.web.notifications.digests import DIGESTS
from server.web.notifications.notifier import NOTIFIER
from server.web.site import SITE
from tests.support.mail.games_of_days import DAYS, game_of, offer, play_alone, resign
from tests.support.quiet_hours import NIGHT, turn_to
from tests.support.web.accounts import go, register
from tests.support.web.people import BLITZ
from tests.web.notifications.push_service import Browser


@pytest.fixture
def site(server, reached, cheap_hashes, monkeypatch, clock):
    """Web push reaches a service of the tests. The server takes hours that pass at once for a stall."""
    monkeypatch.setattr(stall_watchdog, "STALL_MS", 10**12)
    _, server.app[NOTIFIER].push = reached
    return server.app[SITE]


@pytest.fixture
async def browser(site, anna):
    """That of Anna, who has an account."""
    await register(anna, "Anna")
    browser = Browser("/annas")
    await anna.post("/api/push", 201, **browser.subscription)
    return browser


@pytest.fixture
def pushed(site, reached, browser):
    async def look():
        await site.live.services.background.finish(5)
        got, reached[0].got = reached[0].got, []
        return [browser.read(body) for path, _, body in got if path == "/annas"]

    return look


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


async def test_a_turn_that_is_outdated_by_then_is_not_pushed(anna, ben, clock, morning):
    await night(anna, clock)
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
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
    notifier, waiting = server.app[NOTIFIER], []
    soon, notifier._soon = notifier._soon, lambda *one: waiting.append(one)
    await play_alone(ben, game, "e2e4", 0)
    assert [one[:2] for one in waiting] == [((await anna.get("/api/me"))["id"], f"/{game['id']}")]
    async with anna.follow(game) as socket:
        await socket.until("snapshot")
        soon(*waiting.pop())
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
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    await resign(ben, game)
    await ben.challenge(clock=DAYS, to="Anna")
    words = {"turns": "your move", "results": "won", "challenges": "challenges"}
    said = " ".join(one["title"] for one in await pushed())
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
