"""Who gets mail about their games of days, what it says, and how they end it."""

import asyncio
import re
from datetime import date

import pytest

from server.web.notifications.game_mails import GAME_MAILS
from server.web.notifications.letter_writer import LetterWriter
from server.web.site import SITE
from tests.support.mail.games_of_days import DAYS, game_of, offer, play_alone, resign
from tests.support.mail.mail_server import link_in, text_of
from tests.support.mail.told import WISHES, told_at
from tests.support.web.accounts import PASSWORD, go, page_of, register
from tests.support.web.people import BLITZ, play

BOX = "anna@example.org"


@pytest.fixture
async def member(anna, post_office):
    await register(anna, "Anna")
    await told_at(anna, post_office, BOX, **WISHES)
    return anna


async def test_a_player_who_is_away_is_told_what_was_played_and_how_it_stands(member, ben, post_office, server):
    game = await game_of(ben, member)
    await play_alone(ben, game, "e2e4", 0)
    (mail,) = await post_office.delivered(1)
    name = (await ben.get("/api/me"))["name"]
    said = text_of(mail)
    assert (mail["To"], mail["Subject"]) == (BOX, f"Chess against {name}: your move")
    assert f"{name} has played 1. e4. It is your move." in said
    assert "Your time for this move: 3 days left." in said or "Your time for this move" not in said
    assert "  4 |   |:::|   |:::| P |:::|   |:::|  4" in said
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


async def test_a_pause_is_asked_for_agreed_to_and_ended_by_mail(member, ben, post_office):
    game = await game_of(ben, member)
    async with ben.follow(game) as his, member.follow(game) as hers:
        for socket in (his, hers):
            await socket.until("snapshot")
        await play((his, hers), ["e2e4", "e7e5"])
    async with ben.follow(game) as his:
        await his.until("snapshot")
        assert (await his.command(t="offer", kind="pause"))["t"] == "ok"
    (asked,) = await post_office.delivered(1)
    assert "asks to pause the game." in text_of(asked)
    async with member.follow(game) as hers:
        offer = (await hers.until("snapshot"))["offers"][0]["offer"]
        assert (await hers.command(t="accept", offer=offer))["t"] == "ok"
    async with ben.follow(game) as his:
        assert (await his.until("snapshot"))["status"] == "adjourned"
        assert (await his.command(t="ready"))["t"] == "ok"
    _, over = await post_office.delivered(2)
    name = (await ben.get("/api/me"))["name"]
    assert over["Subject"] == f"Chess against {name}: the pause is over"
    assert "The pause is over, and the clock runs." in text_of(over)


async def test_who_asked_for_a_pause_is_told_that_it_has_begun(member, ben, post_office):
    game = await game_of(ben, member)
    async with ben.follow(game) as his, member.follow(game) as hers:
        for socket in (his, hers):
            await socket.until("snapshot")
        await play((his, hers), ["e2e4", "e7e5"])
        assert (await hers.command(t="offer", kind="pause"))["t"] == "ok"
    async with ben.follow(game) as his:
        offer = (await his.until("snapshot"))["offers"][0]["offer"]
        assert (await his.command(t="accept", offer=offer))["t"] == "ok"
    (mail,) = await post_office.delivered(1)
    name = (await ben.get("/api/me"))["name"]
    assert mail["Subject"] == f"Chess against {name}: paused"
    assert "is paused: the clocks stand still." in text_of(mail)
    assert "To end the pause, open" in text_of(mail)
    assert link_in(mail, f"/{game['id']}") == f"/{game['id']}"


async def test_nobody_is_mailed_while_the_board_is_open_in_front_of_them(member, ben, post_office, server, at_rest):
    game = await game_of(ben, member)
    async with member.follow(game) as hers, ben.follow(game) as his:
        for socket in (hers, his):
            await socket.until("snapshot")
        await play((his, hers), ["e2e4"])
    assert (await at_rest(), post_office.mails) == (0, [])
    assert list(await server.app[SITE].store.outbox.untold(10)) == []


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


async def begun(ben, member, post_office):
    """A game in which both have moved, and White, Ben, is to move; no mail waits."""
    game = await game_of(ben, member)
    await play_alone(ben, game, "e2e4", 0)
    await post_office.delivered(1)
    await play_alone(member, game, "e7e5", 1)
    post_office.mails.clear()
    return game


async def test_the_end_of_a_game_is_told_with_how_it_ended_and_all_of_its_moves(member, ben, post_office):
    game = await begun(ben, member, post_office)
    await resign(ben, game)
    (mail,) = await post_office.delivered(1)
    name = (await ben.get("/api/me"))["name"]
    assert mail["Subject"] == f"Chess against {name}: the game is over"
    said = text_of(mail)
    assert "0-1. White resigned. You won." in said
    assert "1. e4 e5 0-1" in said
    assert link_in(mail, f"/{game['id']}") == f"/{game['id']}"


async def test_who_ends_a_game_themselves_is_not_told(member, ben, post_office, at_rest):
    game = await begun(ben, member, post_office)
    await resign(member, game)
    assert (await at_rest(), post_office.mails) == (0, [])


async def test_a_takeback_that_is_asked_for_is_told_at_once_and_a_draw_with_the_move(member, ben, post_office, at_rest):
    game = await begun(ben, member, post_office)
    await offer(ben, game, "draw")
    assert (await at_rest(), post_office.mails) == (0, [])
    await play_alone(ben, game, "g1f3", 2)
    (mail,) = await post_office.delivered(1)
    assert "offers a draw." in text_of(mail)
    await offer(ben, game, "takeback")
    mail = (await post_office.delivered(2))[1]
    assert "asks to take the last move back." in text_of(mail)
    assert mail["Subject"].endswith("your move")


async def test_an_offer_to_who_is_not_to_move_says_so(member, ben, post_office):
    game = await begun(ben, member, post_office)
    await play_alone(ben, game, "g1f3", 2)
    await post_office.delivered(1)
    await play_alone(member, game, "b8c6", 3)
    await offer(ben, game, "takeback")
    mail = (await post_office.delivered(2))[1]
    assert mail["Subject"].endswith(": an offer")
    assert "is to move; the last move was 2... Nc6." in text_of(mail)


async def say(player, game, text):
    async with player.follow(game) as socket:
        await socket.until("snapshot")
        assert (await socket.command(t="chat", text=text))["t"] == "ok"


async def test_what_the_opponent_has_said_since_one_spoke_oneself_is_in_the_mail(member, ben, post_office):
    game = await begun(ben, member, post_office)
    await say(ben, game, "long ago")
    await say(member, game, "hello")
    await say(ben, game, "A good one!\n\nYour turn")
    await play_alone(ben, game, "g1f3", 2)
    (mail,) = await post_office.delivered(1)
    name, said = (await ben.get("/api/me"))["name"], text_of(mail)
    assert f"{name} writes: A good one!\n\nYour turn\n" in said.replace("\r", "")
    assert "long ago" not in said
    assert "hello" not in said


async def test_a_rematch_that_is_offered_is_told(member, ben, post_office):
    game = await begun(ben, member, post_office)
    await resign(ben, game)
    await post_office.delivered(1)
    await offer(ben, game, "rematch")
    said = text_of((await post_office.delivered(2))[1])
    assert "offers a rematch." in said
    assert "White resigned. You won." in said


async def test_a_challenge_by_name_is_told_with_its_terms_and_its_answer_to_who_made_it(
    member, ben, post_office, server
):
    await register(ben, "Ben")
    await told_at(ben, post_office, "ben@example.org", results="on")
    game = await ben.challenge(clock=DAYS, rated=True, to="Anna")
    (mail,) = await post_office.delivered(1)
    assert (mail["To"], mail["Subject"]) == (BOX, "Ben challenges you: Chess")
    assert "Ben challenges you: Chess, 3 days a move, rated." in text_of(mail)
    assert "You would have Black." in text_of(mail)
    await member.post(f"/api/games/{game['id']}/refuse")
    answer = (await post_office.delivered(2))[1]
    assert (answer["To"], answer["Subject"]) == ("ben@example.org", "Chess: your challenge has ended")
    assert "The challenge was declined. It does not count." in text_of(answer)


@pytest.mark.parametrize("kind", ["turns", "results", "challenges"])
async def test_each_kind_is_told_only_where_it_is_wanted(anna, ben, post_office, at_rest, kind):
    await register(anna, "Anna")
    await register(ben, "Ben")
    await told_at(anna, post_office, BOX, **{kind: "on"})
    game = await game_of(ben, anna)
    await play_alone(ben, game, "e2e4", 0)
    await at_rest()
    await play_alone(anna, game, "e7e5", 1)
    await resign(ben, game)
    await ben.challenge(clock=DAYS, to="Anna")
    (mail,) = await post_office.delivered(1)
    subject = {"turns": "your move", "results": "the game is over", "challenges": "challenges you: Chess"}[kind]
    assert mail["Subject"].endswith(subject)
    assert (await at_rest(), len(post_office.mails)) == (0, 1)


async def chosen(person):
    """How often this person is told of each kind at their only address, as their page says."""
    own = (await page_of(person)).split('action="/account/mail"')[0]
    return re.findall(r'value="(\w+)" selected', own)


class TestUnsubscribing:
    async def test_a_mail_program_ends_it_by_one_post_without_signing_in_or_an_origin(
        self, member, ben, visitor, post_office, server, at_rest
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
        assert await chosen(member) == ["at_once"] * 4
        async with program.http.post(path, data={"List-Unsubscribe": "One-Click"}) as answer:
            assert answer.status == 200
        assert await chosen(member) == ["never"] * 4
        await play_alone(member, game, "e7e5", 1)
        await play_alone(ben, game, "d2d4", 2)
        assert (await at_rest(), len(post_office.mails)) == (0, 1)

    async def test_it_needs_the_token_and_the_words_of_the_rfc(self, member, visitor):
        program = await visitor()
        del program.http.headers["Origin"]
        assert (await go(program, "/mail/unsubscribe/made.up", **{"List-Unsubscribe": "One-Click"}))[0] == 410
        assert (await go(program, "/mail/unsubscribe/made.up", anything="else"))[0] == 400

    async def test_nothing_else_can_be_posted_without_an_origin(self, member):
        del member.http.headers["Origin"]
        for path in ("account/mail", "account/mail/wishes", "account/mail/remove", "mail/confirm", "mail/password"):
            assert (await go(member, f"/{path}", address=BOX, token="x", new=PASSWORD))[0] == 403


async def left_untold(member, ben, server, at_rest):
    """A move of which nobody was told, as if its process had died; returns what tells of it."""
    mails = server.app[GAME_MAILS]
    game = await game_of(ben, member)
    await at_rest()
    server.app[SITE].live.services.events._subscribers.remove(mails.hear)
    await play_alone(ben, game, "e2e4", 0)
    return mails


async def test_what_a_crash_left_untold_is_told_at_the_second_look(member, ben, post_office, server, at_rest):
    mails = await left_untold(member, ben, server, at_rest)
    await mails.tell_the_rest()
    assert (await at_rest(), post_office.mails) == (0, [])
    await mails.tell_the_rest()
    (mail,) = await post_office.delivered(1)
    assert "has played 1. e4" in text_of(mail)
    await mails.tell_the_rest()
    assert list(await server.app[SITE].store.outbox.untold(10)) == []


async def test_a_server_that_is_alone_tells_at_its_start_of_what_was_left_untold(
    member, ben, post_office, server, at_rest
):
    mails = await left_untold(member, ben, server, at_rest)
    await mails.tell_from_before()
    (mail,) = await post_office.delivered(1)
    assert "has played 1. e4" in text_of(mail)


@pytest.mark.row("M4")
async def test_a_mail_server_that_hangs_delays_no_move(member, ben, post_office, at_rest):
    post_office.hold = asyncio.Event()
    game = await game_of(ben, member)
    for ply, uci in enumerate(("e2e4", "e7e5", "d2d4", "d7d5", "g1f3")):
        await play_alone((ben, member)[ply % 2], game, uci, ply)
    await at_rest()
    assert post_office.mails == []
    post_office.hold.set()
    await post_office.until(lambda: any("3. Nf3" in text_of(mail) for mail in post_office.mails))
    # Of those that waited only the latest is of any use.
    assert len(post_office.mails) <= 2


async def test_a_letter_that_cannot_be_written_holds_up_no_other(
    member, ben, post_office, server, at_rest, monkeypatch
):
    mails = await left_untold(member, ben, server, at_rest)
    other = await game_of(ben, member)
    await play_alone(ben, other, "d2d4", 0)
    first, second = sorted(news.game for news in await server.app[SITE].store.outbox.untold(10))
    whole = LetterWriter.about

    def broken(writer, game, *rest):
        if game.id == first:
            raise ValueError("a letter that cannot be written")
        return whole(writer, game, *rest)

    monkeypatch.setattr(LetterWriter, "about", broken)
    await mails.tell_from_before()
    (mail,) = await post_office.delivered(1)
    assert mail["References"].startswith(f"<{second}@")
    monkeypatch.undo()
    await mails.tell_the_rest()
    assert {mail["References"][1:11] for mail in await post_office.delivered(2)} == {first, second}
