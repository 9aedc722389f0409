"""What an opponent writes in a correspondence game is told by web push, with the words themselves."""

import pytest

from server.web.notifications.digests import DIGESTS
from server.web.notifications.notifier import LONGEST_BODY
from tests.support.mail.games_of_days import game_of, play_alone, say
from tests.support.quiet_hours import NIGHT, turn_to
from tests.support.web.accounts import go, register
from tests.support.web.people import BLITZ


@pytest.fixture
async def browser(browser, ben):
    """Ben has an account, too."""
    await register(ben, "Ben")
    return browser


async def test_a_message_alone_is_pushed_at_once_with_what_it_says(anna, ben, pushed):
    game = await game_of(ben, anna)
    await say(ben, game, "Good luck!")
    (told,) = await pushed()
    assert (told["title"], told["body"]) == ("Ben has written to you.", "Good luck!")
    assert (told["url"], told["topic"]) == (f"/{game['id']}", f"/{game['id']}")
    await play_alone(ben, game, "e2e4", 0)
    (told,) = await pushed()
    assert told["body"] == "Chess"


async def test_of_a_long_message_the_beginning_is_pushed(anna, ben, pushed):
    await say(ben, await game_of(ben, anna), "ñ" * 400)
    (told,) = await pushed()
    assert told["body"] == "ñ" * (LONGEST_BODY - 1) + "…"


async def test_nothing_is_pushed_to_who_has_the_board_open_or_plays_by_the_minute(anna, ben, pushed):
    game = await game_of(ben, anna)
    async with anna.follow(game) as socket:
        await socket.until("snapshot")
        await say(ben, game, "Hello")
        assert await pushed() == []
    live = await game_of(ben, anna, BLITZ)
    await pushed()
    await say(ben, live, "Hello")
    assert await pushed() == []


async def test_who_does_not_want_messages_gets_none(anna, ben, pushed):
    await go(anna, "/account/notifications", messages="never")
    await say(ben, await game_of(ben, anna), "Hello")
    assert await pushed() == []


async def test_a_message_and_a_move_of_the_night_are_one_push_in_the_morning(anna, ben, server, clock, pushed):
    await go(anna, "/account/notifications", **NIGHT)
    turn_to(clock, 23)
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    await say(ben, game, "Sleep well.")
    assert await pushed() == []
    turn_to(clock, 7)
    await server.app[DIGESTS].tell_due()
    (told,) = await pushed()
    assert ("your move" in told["title"], told["body"]) == (True, "Sleep well.")


async def test_a_message_of_the_night_is_not_pushed_in_the_morning_to_who_has_read_it(anna, ben, server, clock, pushed):
    await go(anna, "/account/notifications", **NIGHT)
    turn_to(clock, 23)
    game = await game_of(ben, anna)
    await say(ben, game, "Sleep well.")
    assert await pushed() == []
    async with anna.follow(game) as socket:
        await socket.until("snapshot")
    assert await pushed() == []
    turn_to(clock, 7)
    await server.app[DIGESTS].tell_due()
    assert await pushed() == []
