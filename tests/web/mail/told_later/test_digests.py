"""News of games that people want to be told of hourly or daily: in one mail, of what is still so, and only once."""

import re
import threading

import pytest

from server.games.clocks.time_control import DAY_MS
from server.mail.mailer import Mailer
from server.mail.quiet_hours import HOUR_MS
from server.web.notifications.digests import DIGESTS, WRITING_MS
from server.web.notifications.game_news import remaining_news
from server.web.notifications.letters import LetterWriter
from server.web.notifications.teller import MANY_MS, TELLER
from server.web.site import SITE
from tests.support.mail.games_of_days import DAYS, game_of, play_alone, resign, say
from tests.support.mail.handing_over import hand_over, written
from tests.support.mail.mail_server import link_in, text_of
from tests.support.mail.told import BOX, told_at
from tests.support.web.accounts import go, register

EACH = ("turns", "results", "challenges")


async def test_the_moves_of_an_hour_are_one_mail_that_says_what_is_new_and_where_to_answer(
    wishing, ben, due, at_rest, post_office, port
):
    anna = await wishing(turns="hourly")
    games = [await game_of(ben, anna) for _ in range(2)]
    for game, uci in zip(games, ("e2e4", "d2d4"), strict=True):
        await play_alone(ben, game, uci, 0)
    assert (await at_rest(), post_office.mails) == (0, [])
    (mail,) = await due()
    said, name = text_of(mail), (await ben.get("/api/me"))["name"]
    assert mail["Subject"] == "2 games wait for you"
    for game, move in zip(games, ("1. e4", "1. d4"), strict=True):
        assert f"Chess against {name}: your move" in said
        assert f"{name} has played {move}. It is your move." in said
        assert link_in(mail, f"/{game['id']}") == f"/{game['id']}"
    assert "Your time for this move: " in said
    assert link_in(mail, "/games/mine") == "/games/mine"
    for address in re.findall(r"play\+\S+", said):
        assert (await hand_over(port, address, written(address, "e5" if len(games) == 2 else "d5"))).startswith("250")
        games.pop()
    assert games == []
    await post_office.delivered(3)
    assert await due() == []


async def test_several_games_in_one_mail_say_what_was_said_in_each(wishing, ben, due):
    anna = await wishing(turns="hourly")
    await register(ben, "Ben")
    words = {}
    for text in ("Long time\nno see.", "Hello again."):
        game = await game_of(ben, anna, variant="seirawan")
        words[game["id"]] = text
        await play_alone(ben, game, "e2e4", 0)
        await say(ben, game, text)
    (mail,) = await due()
    said = text_of(mail).replace("\r", "")
    for game, text in words.items():
        about = said.partition(f"/{game}\n")[0].rpartition("your move\n")[2]
        assert f"Ben writes: {text}\n" in about
    assert said.count("/rules/seirawan\n") == 2


async def test_several_games_in_one_mail_say_who_is_away(wishing, ben, due):
    anna = await wishing(turns="hourly")
    await register(ben, "Benedict")
    for uci in ("e2e4", "d2d4"):
        await play_alone(ben, await game_of(ben, anna), uci, 0)
    latest = (await ben.get("/api/me/vacation"))["latest"]
    await ben.post("/api/me/vacation", until=latest)
    (mail,) = await due()
    assert text_of(mail).count("Benedict is away until ") == 2
    assert "Your time for this move" not in text_of(mail)


async def test_one_game_is_told_as_it_would_have_been_at_once_and_under_the_id_of_its_digest(wishing, ben, due):
    anna = await wishing(turns="hourly")
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    (mail,) = await due()
    assert mail["Subject"].endswith(f"({game['id']})")
    assert "It is your move." in text_of(mail)
    assert "  4 |:::|   |:::| P |:::|   |:::|   |  4" in text_of(mail)
    assert mail["Message-ID"].startswith("<digest.")
    assert mail["In-Reply-To"].startswith(f"<{game['id']}@")


async def test_where_she_has_moved_already_there_is_nothing_to_tell(wishing, ben, due):
    anna = await wishing(turns="hourly")
    games = [await game_of(ben, anna) for _ in range(2)]
    for game in games:
        await play_alone(ben, game, "e2e4", 0)
    await play_alone(anna, games[0], "e7e5", 1)
    (mail,) = await due()
    assert mail["In-Reply-To"].startswith(f"<{games[1]['id']}@")
    await play_alone(anna, games[1], "e7e5", 1)
    await play_alone(ben, games[0], "g1f3", 2)
    await play_alone(anna, games[0], "g8f6", 3)
    assert await due() == []


async def test_of_a_game_whose_board_she_has_open_by_then_she_is_told_nothing(wishing, ben, due):
    anna = await wishing(turns="hourly")
    games = [await game_of(ben, anna) for _ in range(2)]
    for game in games:
        await play_alone(ben, game, "e2e4", 0)
    async with anna.follow(games[0]) as socket:
        await socket.until("snapshot")
        (mail,) = await due()
    assert mail["In-Reply-To"].startswith(f"<{games[1]['id']}@")
    assert await due() == []


async def test_each_kind_is_told_as_often_as_it_was_chosen(wishing, ben, due, post_office, at_rest):
    anna = await wishing(turns="at_once", results="daily", challenges="hourly", reminders="never")
    await register(ben, "Ben")
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    (mail,) = await post_office.delivered(1)
    assert "It is your move." in text_of(mail)
    await play_alone(anna, game, "e7e5", 1)
    await ben.challenge(clock=DAYS, to="Anna")
    await resign(ben, game)
    assert (await at_rest(), len(post_office.mails)) == (0, 1)
    (challenge,) = await due()
    assert text_of(challenge).startswith("Ben challenges you: Chess")
    (result,) = await due(DAY_MS)
    assert "resigned. You won." in text_of(result)


async def test_a_game_that_ended_meanwhile_is_told_as_such_or_not_at_all(wishing, ben, due):
    anna = await wishing(turns="hourly", results="hourly")
    over, going = await game_of(ben, anna), await game_of(ben, anna)
    for game in (over, going):
        await play_alone(ben, game, "e2e4", 0)
    await resign(ben, over)
    (mail,) = await due()
    said = text_of(mail)
    assert mail["Subject"] == "1 game waits for you"
    assert said.index("It is your move.") < said.index("0-1. White resigned. You won.")
    await go(anna, "/account/mail/wishes", address=BOX, turns="hourly")
    await play_alone(anna, going, "e7e5", 1)
    await play_alone(ben, going, "d2d4", 2)
    await resign(ben, going)
    assert await due() == []


async def test_a_game_is_told_as_it_stands_also_if_its_latest_news_are_still_untold(wishing, ben, due, server, at_rest):
    anna = await wishing(turns="hourly")
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    await at_rest()
    server.app[SITE].live.services.events._subscribers.remove(server.app[TELLER].hear)
    await resign(ben, game)
    assert await due() == []


@pytest.mark.parametrize("end", ["wishes", "remove"])
async def test_who_no_longer_wants_it_gets_nothing_of_what_was_held(wishing, ben, due, end):
    anna = await wishing(turns="hourly")
    await play_alone(ben, await game_of(ben, anna), "e2e4", 0)
    await go(anna, f"/account/mail/{end}", address=BOX)
    assert await due() == []


async def test_what_is_held_for_a_deleted_account_is_gone(wishing, ben, due, server):
    anna = await wishing(turns="hourly")
    await play_alone(ben, await game_of(ben, anna), "e2e4", 0)
    await go(anna, "/account/delete", password="a good long one")
    assert await due() == []


async def test_a_mail_that_somebody_had_begun_who_died_is_written_again_under_the_same_id(
    wishing, ben, due, server, clock, at_rest
):
    anna = await wishing(turns="hourly")
    await play_alone(ben, await game_of(ben, anna), "e2e4", 0)
    await at_rest()
    store = server.app[SITE].store
    clock.turn(HOUR_MS)
    (mailbox,) = await store.digests.ripe_mailboxes(clock(), 10)
    await store.digests.claim_news(mailbox, "digest.begun", clock(), clock() + WRITING_MS)
    assert await due(WRITING_MS - 1) == []
    (mail,) = await due(1)
    assert mail["Message-ID"] == "<digest.begun@chess.example.org>"
    assert await due(WRITING_MS) == []


async def test_a_mail_that_cannot_be_written_holds_up_no_other(wishing, ben, carla, due, server, post_office):
    anna = await wishing(turns="hourly")
    await register(carla, "Carla")
    await told_at(carla, post_office, "carla@example.org", turns="hourly")
    for player in (anna, carla):
        await play_alone(ben, await game_of(ben, player), "e2e4", 0)
    digests = server.app[DIGESTS]
    whole, broken = digests._told, (await anna.get("/api/me"))["id"]

    async def told(mailbox, held):
        if mailbox.owner == broken:
            raise ValueError("a letter that cannot be written")
        return await whole(mailbox, held)

    digests._told = told
    (mail,) = await due()
    assert mail["To"] == "carla@example.org"
    digests._told = whole
    (mail,) = await due(WRITING_MS)
    assert mail["To"] == BOX


async def test_only_so_many_games_are_told_and_the_most_urgent_first(wishing, ben, due, monkeypatch, clock):
    monkeypatch.setattr("server.web.notifications.digests.SHOWN", 2)
    anna = await wishing(turns="daily")
    games = []
    for days in (7, 1, 3):
        games.append(await game_of(ben, anna, {**DAYS, "days": days}))
        await play_alone(ben, games[-1], "e2e4", 0)
    (mail,) = await due(23 * HOUR_MS)
    links = re.findall(r"^https?://[^/]+/(\w+)\s*$", text_of(mail), re.M)
    assert links == [games[1]["id"], games[2]["id"]]
    assert "There is news of more games." in text_of(mail)


@pytest.mark.parametrize(("owner", "method"), [(LetterWriter, "write_digest"), (Mailer, "compose_mail")])
async def test_moves_do_not_wait_while_many_games_are_written_down(wishing, ben, due, monkeypatch, owner, method):
    whole, writers = getattr(owner, method), []

    def noted(*args, **more):
        writers.append(threading.current_thread())
        return whole(*args, **more)

    anna = await wishing(turns="hourly")
    for _ in range(2):
        await play_alone(ben, await game_of(ben, anna), "e2e4", 0)
    monkeypatch.setattr(owner, method, noted)
    await due()
    assert writers
    assert threading.current_thread() not in writers


async def test_many_games_fill_no_mailbox_the_rest_is_told_in_one_mail(wishing, ben, due, server, post_office):
    anna = await wishing(turns="at_once")
    server.app[SITE].limits.game_mails.amount = 2
    for _ in range(5):
        await play_alone(ben, await game_of(ben, anna), "e2e4", 0)
    told = [mail for mail in await due(0) if mail["To"] == BOX] or post_office.to(BOX)
    assert sum("has played 1. e4" in text_of(mail) for mail in post_office.to(BOX)) == 2, told
    (rest,) = await due(MANY_MS)
    assert rest["Subject"] == "3 games wait for you"
    assert await due(MANY_MS) == []


async def test_a_challenge_by_somebody_who_was_blocked_since_is_not_told(wishing, ben, due):
    anna = await wishing(challenges="hourly")
    await register(ben, "Ben")
    await ben.post("/api/games", 201, variant="chess", clock=DAYS, to="Anna")
    await go(anna, "/@/Ben/block")
    assert await due() == []


# A mail about many games tells of the most urgent, and says so: no number in it is less than what waits.


@pytest.fixture
def waiting(wishing, ben, monkeypatch):
    """Three games that wait for Anna, of which a mail tells two; the last has most time."""
    monkeypatch.setattr("server.web.notifications.digests.SHOWN", 2)

    async def begin():
        anna = await wishing(turns="hourly")
        games = [await game_of(ben, anna, {**DAYS, "days": days}) for days in (1, 3, 7)]
        for game in games:
            await play_alone(ben, game, "e2e4", 0)
        return games

    return begin


async def test_more_games_wait_than_are_told(waiting, due):
    await waiting()
    (mail,) = await due()
    assert mail["Subject"] == "At least 2 games wait for you"
    assert "There is news of more games." in text_of(mail)


async def test_a_game_that_waits_no_longer_is_not_one_of_more(waiting, due, monkeypatch):
    games = await waiting()

    async def of_the_others(store, at_board, owner, game, kinds):
        return None if game == games[-1]["id"] else await remaining_news(store, at_board, owner, game, kinds)

    monkeypatch.setattr("server.web.notifications.digests.remaining_news", of_the_others)
    (mail,) = await due()
    assert mail["Subject"] == "2 games wait for you"
    assert "There is news of more games." not in text_of(mail)
