"""What an opponent writes in a correspondence game is told by mail, also if nothing else happens there, and once."""

import asyncio

import pytest

from server.games.clocks.time_control import DAY_MS
from server.games.people import TieKind
from server.games.player import Player
from server.mail.quiet_hours import HOUR_MS
from server.storage.fields import LAST_MS
from server.web.notifications.digests import DIGESTS
from server.web.notifications.teller import MORE_SAID_MS, TELLER, TOLD_WITHIN_MS
from server.web.site import SITE
from tests.support.mail.games_of_days import DAYS, game_of, play_alone, resign, say
from tests.support.mail.handing_over import hand_over, reply, written
from tests.support.mail.mail_server import link_in, text_of
from tests.support.mail.told import BOX, told_by_mail
from tests.support.patience import PATIENCE_S
from tests.support.web.accounts import register
from tests.support.web.people import BLITZ


@pytest.fixture
def soon(due):
    """The mails that have come a minute later."""

    async def wait():
        return await due(MORE_SAID_MS)

    return wait


@pytest.fixture
async def bens(ben):
    """The name of Ben's account."""
    await register(ben, "Ben")
    return "Ben"


def said_in(mail):
    return text_of(mail).replace("\r", "")


async def test_a_message_alone_is_mailed_with_the_board_and_how_to_answer_it(wishing, ben, bens, soon, port):
    anna = await wishing(messages="at_once")
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    await say(ben, game, "Good luck\nand have fun.")
    (mail,) = await soon()
    said = said_in(mail)
    assert mail["Subject"] == f"Chess against Ben ({game['id']})"
    assert mail["In-Reply-To"].startswith(f"<{game['id']}@")
    assert said.startswith("Ben writes: Good luck\nand have fun.\n\nBen has played 1. e4. It is your move.\n")
    assert "  4 |:::|   |:::| P |:::|   |:::|   |  4" in said
    assert link_in(mail, f"/{game['id']}") == f"/{game['id']}"
    assert "Answer at the board: http" in said
    assert "write “say” and what you want to say" in " ".join(said.split())
    assert (await hand_over(port, mail["Reply-To"], written(mail["Reply-To"], "say Thank you!"))).startswith("250")
    async with ben.follow(game) as socket:
        assert [line["text"] for line in (await socket.until("snapshot"))["chat"]][-1] == "Thank you!"


async def test_what_is_said_within_a_minute_is_one_mail(wishing, ben, bens, soon, clock):
    anna = await wishing(messages="at_once")
    game = await game_of(ben, anna)
    words = ("One", "Two", "Three", "Four", "Five")
    for word in words:
        await say(ben, game, word)
        clock.turn(MORE_SAID_MS // 2)
    (mail,) = await soon()
    assert [line for line in said_in(mail).split("\n") if "writes" in line] == [f"Ben writes: {word}" for word in words]
    assert await soon() == []


async def test_who_read_it_at_the_board_is_not_mailed_though_they_have_left_before_anybody_is_told(
    wishing, ben, bens, soon, server, at_rest
):
    anna = await wishing(messages="at_once")
    game, teller = await game_of(ben, anna), server.app[TELLER]
    await at_rest()
    # As if it were busy with other games.
    teller._at_work = True
    async with anna.follow(game) as socket:
        await socket.until("snapshot")
        # That she has come is of no help to what is said only then.
        teller._waiting.clear()
        await say(ben, game, "Hello")
    presence = server.app[SITE].rounds.in_memory(game["id"]).presence
    async with asyncio.timeout(PATIENCE_S):
        while presence.here:  # noqa: ASYNC110 - nothing tells when somebody has left
            await asyncio.sleep(0)
    await teller._tell_all()
    assert await soon() == []
    assert list(await server.app[SITE].store.outbox.unheard(10)) == []


@pytest.mark.parametrize("often", ["at_once", "hourly", "daily"])
async def test_who_opens_the_board_before_they_are_told_is_not_mailed(wishing, ben, bens, due, often, at_rest):
    anna = await wishing(messages=often)
    game = await game_of(ben, anna)
    await say(ben, game, "Hello")
    await at_rest()
    async with anna.follow(game) as socket:
        await socket.until("snapshot")
    assert await due(DAY_MS) == []


async def test_nobody_is_told_what_somebody_says_whom_they_have_blocked(wishing, ben, bens, soon, server):
    anna = await wishing(messages="at_once")
    game = await game_of(ben, anna)
    one, other = [await person.get("/api/me") for person in (anna, ben)]
    await say(ben, game, "Before")
    await server.app[SITE].live.ties.make_tie(one["id"], TieKind.BLOCKS, Player(other["id"], other["name"]))
    await say(ben, game, "Hello")
    assert await soon() == []
    assert list(await server.app[SITE].store.outbox.unheard(10)) == []


@pytest.mark.parametrize("turns", ["at_once", "hourly"])
async def test_what_a_mail_about_a_turn_has_told_is_not_told_again(wishing, ben, bens, due, post_office, turns):
    anna = await wishing(turns=turns, messages="daily")
    game = await game_of(ben, anna)
    await say(ben, game, "Hello")
    await play_alone(ben, game, "e2e4", 0)
    await due()
    (mail,) = post_office.mails
    assert said_in(mail).startswith("Ben has played 1. e4. It is your move.")
    assert "Ben writes: Hello" in said_in(mail)
    assert await due(DAY_MS) == []


async def test_what_was_said_before_anybody_was_told_of_the_move_is_one_mail_with_it(
    wishing, ben, bens, soon, server, at_rest, post_office
):
    anna = await wishing(turns="at_once", messages="at_once")
    game, teller = await game_of(ben, anna), server.app[TELLER]
    await at_rest()
    # As if it were busy with other games.
    teller._at_work = True
    await play_alone(ben, game, "e2e4", 0)
    await say(ben, game, "Hello")
    await teller._tell_all()
    await soon()
    (mail,) = post_office.mails
    assert said_in(mail).startswith("Ben has played 1. e4. It is your move.")
    assert "Ben writes: Hello" in said_in(mail)


async def test_a_move_leaves_what_was_said_to_be_told_to_who_wants_no_mail_of_turns(wishing, ben, bens, due):
    anna = await wishing(turns="never", messages="hourly")
    game = await game_of(ben, anna)
    await say(ben, game, "Hello")
    await play_alone(ben, game, "e2e4", 0)
    (mail,) = await due()
    assert said_in(mail).startswith("Ben writes: Hello")


@pytest.mark.parametrize("wishes", [{"turns": "at_once", "messages": "never"}, {"results": "on"}])
async def test_nobody_is_told_who_does_not_want_it(wishing, ben, bens, soon, wishes):
    anna = await wishing(**wishes)
    await say(ben, await game_of(ben, anna), "Hello")
    assert await soon() == []


async def test_messages_come_hourly_or_daily_where_that_was_chosen(wishing, ben, bens, due):
    anna = await wishing(messages="daily")
    games = [await game_of(ben, anna) for _ in range(2)]
    for game in games:
        await say(ben, game, "Hello")
    assert await due(HOUR_MS) == []
    (mail,) = await due(DAY_MS)
    assert mail["Subject"] == "News of 2 games"
    assert said_in(mail).count("Ben writes: Hello") == 2


@pytest.fixture
def untold(wishing, ben, bens, server, at_rest):
    """Ben says something to Anna in the moment of a crash, when nobody hears of it: Anna, and the game."""

    async def say_unheard(words):
        anna = await wishing(messages="at_once")
        game = await game_of(ben, anna)
        await at_rest()
        server.app[SITE].live.services.events._subscribers.remove(server.app[TELLER].hear)
        await say(ben, game, words)
        return anna, game

    return say_unheard


async def test_what_a_crash_left_untold_is_told_once(untold, soon, server):
    await untold("Hello")
    teller = server.app[TELLER]
    assert await soon() == []
    await teller.tell_the_rest()
    assert await soon() == []
    await teller.tell_the_rest()
    (mail,) = await soon()
    assert "Ben writes: Hello" in said_in(mail)
    await teller.tell_from_before()
    assert await soon() == []


async def test_what_was_said_long_ago_is_not_told_any_more(untold, soon, server, clock):
    await untold("Hello")
    teller = server.app[TELLER]
    clock.turn(TOLD_WITHIN_MS + 1_000)
    await teller.tell_from_before()
    assert await soon() == []
    assert list(await server.app[SITE].store.outbox.unheard(10)) == []


async def test_who_has_answered_already_is_not_told(untold, soon, server):
    anna, game = await untold("Hello")
    teller = server.app[TELLER]
    await say(anna, game, "Hello to you")
    await teller.tell_from_before()
    assert await soon() == []


async def test_in_games_by_the_minute_and_among_watchers_nobody_is_told(wishing, ben, bens, carla, soon, server):
    anna = await wishing(messages="at_once")
    await say(ben, await game_of(ben, anna, BLITZ), "Hello")
    game = await game_of(ben, anna)
    await carla.post("/api/guest")
    await say(carla, game, "What a game!")
    assert await soon() == []
    assert list(await server.app[SITE].store.outbox.unheard(10)) == []


async def test_who_challenges_and_who_is_challenged_are_told_and_the_end_is_no_end_of_words(
    wishing, ben, bens, soon, at_rest
):
    anna = await wishing(messages="at_once")
    challenge = await anna.challenge(clock=DAYS, to="Ben")
    await say(ben, challenge, "With White?")
    (mail,) = await soon()
    said = said_in(mail)
    assert said.startswith("Ben writes: With White?\n")
    assert "challenges you" not in said
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    await resign(ben, game)
    await say(ben, game, "Thank you")
    (mail,) = await soon()
    said = said_in(mail)
    assert said.startswith("Ben writes: Thank you\n\n0-1. White resigned. You won.")
    assert "To play again, write “rematch”" in said


async def test_it_is_said_in_the_language_of_the_address(wishing, anna, ben, bens, soon):
    anna.http.headers["Accept-Language"] = "es"
    await wishing(messages="at_once")
    game = await game_of(ben, anna)
    await say(ben, game, "Hola")
    (mail,) = await soon()
    assert mail["Subject"].startswith("Ajedrez contra Ben (")
    assert "escribe «decir»" in " ".join(said_in(mail).split())


async def test_what_waits_comes_before_words_in_a_mail_about_both(wishing, ben, bens, due, server):
    anna = await wishing(turns="hourly", messages="hourly")
    talking, waiting = [await game_of(ben, anna) for _ in range(2)]
    await say(ben, talking, "Hello")
    await play_alone(ben, waiting, "e2e4", 0)
    (mail,) = await due()
    assert mail["Subject"] == "1 game waits for you"
    said = said_in(mail)
    assert said.index("your move") < said.index("a message") < said.index("Ben writes: Hello")
    await server.app[DIGESTS].tell_due()
    assert await due() == []


async def test_a_message_that_the_mail_server_has_not_taken_goes_with_the_turn_that_came_since(
    wishing, ben, bens, server, post_office, clock, at_rest
):
    anna = await wishing(messages="at_once", turns="at_once")
    game, outbox = await game_of(ben, anna), server.app[SITE].store.outbox
    post_office.at_data = "451 later"
    await say(ben, game, "Hello")
    await at_rest()
    clock.turn(MORE_SAID_MS)
    await server.app[DIGESTS].tell_due()
    (waiting,) = await outbox.due(LAST_MS, 10)
    assert waiting.topic == game["id"]
    await play_alone(ben, game, "e2e4", 0)
    await at_rest()
    (newer,) = await outbox.due(LAST_MS, 10)
    assert (newer.id == waiting.id, "your move" in newer.message, "Hello" in newer.message) == (False, True, True)


async def test_a_greeting_is_told_once_although_nobody_answers_it(wishing, ben, due, clock, post_office):
    anna = await wishing(turns="at_once")
    await register(ben, "Ben")
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    await due(60_000)
    await play_alone(anna, game, "e7e5", 1)
    clock.turn(60_000)
    await say(ben, game, "Good luck!")
    moves = ((ben, "g1f3"), (anna, "b8c6"), (ben, "f1b5"), (anna, "a7a6"), (ben, "b5a4"))
    for ply, (player, uci) in enumerate(moves, 2):
        await play_alone(player, game, uci, ply)
        await due(60_000)
    mails = [text_of(mail) for mail in post_office.to(BOX)]
    assert sum("It is your move" in mail for mail in mails) == 4
    assert sum("Good luck!" in mail for mail in mails) == 1


async def test_words_and_a_move_of_one_mail_are_told_once(wishing, ben, due, clock, post_office, port):
    anna = await wishing(turns="at_once", messages="at_once")
    await told_by_mail(ben, post_office, "Ben", "ben@example.org")
    game = await game_of(anna, ben)
    await play_alone(anna, game, "e2e4", 0)
    await due(0)
    turn = post_office.to("ben@example.org")[-1]
    assert (await reply(port, turn, "e5\nsay Good luck!")).startswith("250")
    for _ in range(3):
        await due(65_000)
    assert sum("Good luck!" in text_of(mail) for mail in post_office.to(BOX)) == 1


async def test_whose_conditional_move_was_played_is_told_so(wishing, ben, due, post_office, port):
    anna = await wishing(turns="at_once")
    await told_by_mail(ben, post_office, "Ben", "ben@example.org")
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    await due(0)
    turn = post_office.to(BOX)[-1]
    assert (await reply(port, turn, "e5\nif Nf3 then Nc6")).startswith("250")
    await due(0)
    told = len(post_office.to(BOX))
    await play_alone(ben, game, "g1f3", 2)
    await due(0)
    (mail,) = post_office.to(BOX)[told:]
    assert "Ben has moved, and your conditional move was played at once: 2. Nf3 Nc6." in " ".join(text_of(mail).split())
