"""Who gets mail about their correspondence games, what it says, and how they end it."""

import asyncio
import re
import threading
from datetime import date

import pytest

from server.mail.mailer import Mailer
from server.mail.wishes import KINDS
from server.web.notifications.teller import TELLER
from server.web.site import SITE
from tests.support.mail.games_of_days import DAYS, both_moved, game_of, play_alone, resign, say
from tests.support.mail.mail_server import link_in, text_of
from tests.support.mail.told import BOX, WISHES, told_at
from tests.support.patience import PATIENCE_S
from tests.support.web.accounts import PASSWORD, go, page_of, register
from tests.support.web.people import BLITZ, play


async def test_a_player_who_is_away_is_told_what_was_played_and_how_it_stands(member, ben, post_office, server):
    game = await game_of(ben, member)
    await play_alone(ben, game, "e2e4", 0)
    (mail,) = await post_office.delivered(1)
    name = (await ben.get("/api/me"))["name"]
    said = text_of(mail)
    assert (mail["To"], mail["Subject"]) == (BOX, f"Chess against {name} ({game['id']})")
    assert f"{name} has played 1. e4. It is your move." in said
    assert "Your time for this move: 3 days." in said or "Your time for this move" not in said
    assert "  4 |:::|   |:::| P |:::|   |:::|   |  4" in said
    assert link_in(mail, f"/{game['id']}") == f"/{game['id']}"
    assert await server.app[SITE].store.outbox.waiting() == 0


async def test_a_mail_says_that_the_opponent_is_away_and_speaks_of_no_time_that_runs_out(member, ben, post_office):
    await register(ben, "Benedict")
    game = await game_of(ben, member)
    latest = (await ben.get("/api/me/vacation"))["latest"]
    until = (await ben.post("/api/me/vacation", until=latest))["until"]
    await play_alone(ben, game, "e2e4", 0)
    (mail,) = await post_office.delivered(1)
    day = date.fromisoformat(until)
    assert f"Benedict is away until {day.day} {day:%B}." in text_of(mail)
    assert "Your time for this move" not in text_of(mail)


async def test_all_mails_about_a_game_are_one_thread_each_with_an_id_of_its_own(member, ben, post_office):
    game, other = await game_of(ben, member), await game_of(ben, member)
    for ply, uci in ((0, "e2e4"), (2, "d2d4")):
        if ply:
            await play_alone(member, game, "e7e5", 1)
        await play_alone(ben, game, uci, ply)
        await post_office.delivered(ply // 2 + 1)
    await play_alone(ben, other, "e2e4", 0)
    first, second, third = await post_office.delivered(3)
    assert first["In-Reply-To"] == second["In-Reply-To"] == second["References"] != third["In-Reply-To"]
    assert len({mail["Message-ID"] for mail in (first, second, third)}) == 3
    assert first["Subject"] == second["Subject"]
    assert game["id"] in first["Message-ID"]


async def test_nobody_is_mailed_while_the_board_is_open_in_front_of_them(member, ben, post_office, server, at_rest):
    game = await game_of(ben, member)
    async with member.follow(game) as hers, ben.follow(game) as his:
        for socket in (hers, his):
            await socket.until("snapshot")
        await play((his, hers), ["e2e4"])
    assert (await at_rest(), post_office.mails) == (0, [])
    assert list(await server.app[SITE].store.outbox.untold(10)) == []


async def test_who_saw_it_at_the_board_is_not_mailed_though_they_have_left_before_anybody_is_told(
    member, ben, post_office, server, at_rest
):
    game, mails = await game_of(ben, member), server.app[TELLER]
    await at_rest()
    # As if it were busy with other games.
    mails._at_work = True
    async with member.follow(game) as hers, ben.follow(game) as his:
        for socket in (hers, his):
            await socket.until("snapshot")
        await play((his, hers), ["e2e4"])
    presence = server.app[SITE].rounds.in_memory(game["id"]).presence
    async with asyncio.timeout(PATIENCE_S):
        while True:
            if not presence.here:
                break
            await asyncio.sleep(0)
    await mails._tell_all()
    assert (await at_rest(), post_office.mails) == (0, [])


@pytest.mark.parametrize("clock", [BLITZ])
async def test_games_by_the_minute_are_not_mailed(member, ben, post_office, at_rest, clock):
    game = await game_of(ben, member, clock)
    await play_alone(ben, game, "e2e4", 0)
    assert (await at_rest(), post_office.mails) == (0, [])


async def test_only_who_asked_for_it_is_told_and_at_the_addresses_they_chose(anna, ben, post_office, at_rest):
    await register(anna, "Anna")
    await told_at(anna, post_office, "quiet@example.org")
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    assert (await at_rest(), post_office.mails) == (0, [])
    for address in ("one@example.org", "two@example.org"):
        await told_at(anna, post_office, address, turns="on")
    await play_alone(anna, game, "e7e5", 1)
    await play_alone(ben, game, "d2d4", 2)
    mails = await post_office.delivered(2)
    assert sorted(mail["To"] for mail in mails) == ["one@example.org", "two@example.org"]
    assert len({mail["Message-ID"] for mail in mails}) == 2


async def test_mail_is_in_the_language_in_which_the_address_was_added(anna, ben, post_office):
    await register(anna, "Anna")
    anna.http.headers["Accept-Language"] = "es"
    await told_at(anna, post_office, BOX, turns="on")
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    (mail,) = await post_office.delivered(1)
    assert (mail["Content-Language"], "Te toca a ti." in text_of(mail)) == ("es", True)


async def test_white_is_told_when_somebody_has_joined(member, ben, post_office):
    game = await member.challenge(clock=DAYS)
    await ben.join(game)
    (mail,) = await post_office.delivered(1)
    assert "has begun. It is your move." in text_of(mail)


async def test_the_end_of_a_game_is_told_with_how_it_ended_and_all_of_its_moves(member, ben, post_office):
    game = await both_moved(ben, member, post_office)
    await resign(ben, game)
    (mail,) = await post_office.delivered(1)
    name = (await ben.get("/api/me"))["name"]
    assert mail["Subject"] == f"Chess against {name} ({game['id']})"
    said = text_of(mail)
    assert "0-1. White resigned. You won." in said
    assert "1. e4 e5 0-1" in said
    assert link_in(mail, f"/{game['id']}") == f"/{game['id']}"


async def test_who_ends_a_game_themselves_is_not_told(member, ben, post_office, at_rest):
    game = await both_moved(ben, member, post_office)
    await resign(member, game)
    assert (await at_rest(), post_office.mails) == (0, [])


async def test_what_the_opponent_has_said_since_one_spoke_oneself_is_in_the_mail(member, ben, post_office):
    game = await both_moved(ben, member, post_office)
    await say(ben, game, "long ago")
    await say(member, game, "hello")
    await say(ben, game, "A good one!\n\nYour turn")
    await play_alone(ben, game, "g1f3", 2)
    (mail,) = await post_office.delivered(1)
    name, said = (await ben.get("/api/me"))["name"], text_of(mail)
    assert f"{name} writes: A good one!\n\nYour turn\n" in said.replace("\r", "")
    assert "long ago" not in said
    assert "hello" not in said


async def test_a_challenge_by_name_is_told_with_its_terms_and_its_answer_to_who_made_it(
    member, ben, post_office, server
):
    await register(ben, "Ben")
    await told_at(ben, post_office, "ben@example.org", results="on")
    game = await ben.challenge(clock=DAYS, rated=True, to="Anna")
    (mail,) = await post_office.delivered(1)
    assert (mail["To"], mail["Subject"]) == (BOX, f"Chess against Ben ({game['id']})")
    assert "Ben challenges you: Chess, 3 days a move, rated." in text_of(mail)
    assert "You would have Black." in text_of(mail)
    await member.post(f"/api/games/{game['id']}/refuse")
    answer = (await post_office.delivered(2))[1]
    assert (answer["To"], answer["Subject"]) == ("ben@example.org", "Chess: your challenge has ended")
    assert "The challenge was declined. It does not count." in text_of(answer)


@pytest.mark.parametrize("kind", ["turns", "results", "challenges"])
async def test_each_kind_is_told_only_where_it_is_wanted(anna, ben, post_office, at_rest, all_sent, kind):
    await register(anna, "Anna")
    await register(ben, "Ben")
    await told_at(anna, post_office, BOX, **{kind: "on"})
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    await all_sent()
    await play_alone(anna, game, "e7e5", 1)
    await resign(ben, game)
    await ben.challenge(clock=DAYS, to="Anna")
    (mail,) = await post_office.delivered(1)
    words = {"turns": "It is your move.", "results": "resigned. You won.", "challenges": "challenges you: Chess"}[kind]
    assert words in text_of(mail)
    assert (await at_rest(), len(post_office.mails)) == (0, 1)


# How people end mail about their games: by one click of their mail program (RFC 8058).


async def chosen(person):
    """How often this person is told of each kind at their only address, as their page says."""
    own = (await page_of(person)).split('action="/account/mail"')[0]
    return re.findall(r'value="(\w+)" selected', own)


async def test_a_mail_program_ends_it_by_one_post_without_signing_in_or_an_origin(
    member, ben, visitor, post_office, server, at_rest
):
    game = await game_of(ben, member)
    await play_alone(ben, game, "e2e4", 0)
    (mail,) = await post_office.delivered(1)
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = mail["List-Unsubscribe"].strip("<>")
    path = link[link.index("/mail/") :]
    program = await visitor()
    del program.http.headers["Origin"]
    async with program.http.get(path) as answer:
        assert answer.status == 200
    assert await chosen(member) == ["at_once"] * len(KINDS)
    async with program.http.post(path, data={"List-Unsubscribe": "One-Click"}) as answer:
        assert answer.status == 200
    assert await chosen(member) == ["never"] * len(KINDS)
    await play_alone(member, game, "e7e5", 1)
    await play_alone(ben, game, "d2d4", 2)
    assert (await at_rest(), len(post_office.mails)) == (0, 1)


async def test_it_needs_the_token_and_the_words_of_the_rfc(member, visitor):
    program = await visitor()
    del program.http.headers["Origin"]
    assert (await go(program, "/mail/unsubscribe/made.up", **{"List-Unsubscribe": "One-Click"}))[0] == 410
    assert (await go(program, "/mail/unsubscribe/made.up", anything="else"))[0] == 400


async def test_nothing_else_can_be_posted_without_an_origin(member):
    del member.http.headers["Origin"]
    for path in ("account/mail", "account/mail/wishes", "account/mail/remove", "mail/confirm", "mail/password"):
        assert (await go(member, f"/{path}", address=BOX, token="x", new=PASSWORD))[0] == 403


# Mails are written beside the event loop, where no move waits for them: those about a game, and those of the site.


@pytest.fixture
def writers(monkeypatch):
    """The threads that have written a mail down."""
    whole, threads = Mailer.compose_mail, []

    def noted(*args, **more):
        threads.append(threading.current_thread())
        return whole(*args, **more)

    monkeypatch.setattr(Mailer, "compose_mail", noted)
    return threads


async def test_moves_do_not_wait_while_a_mail_is_written(anna, ben, post_office, writers):
    await register(anna, "Anna")
    await told_at(anna, post_office, "anna@example.org", **WISHES)
    confirming = len(writers)
    await play_alone(ben, await game_of(ben, anna), "e2e4", 0)
    await post_office.delivered(1)
    assert 0 < confirming < len(writers)
    assert threading.current_thread() not in writers
