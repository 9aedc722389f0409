"""News of games are told although a process died, a mail server hangs, or another letter cannot be written."""

import asyncio

import pytest

from server.web.notifications.letters import LetterWriter
from server.web.notifications.teller import TELLER, TOLD_WITHIN_MS
from server.web.site import SITE
from tests.support.mail.games_of_days import DAYS, game_of, play_alone, resign, say
from tests.support.mail.mail_server import text_of
from tests.support.web.accounts import go, register


async def left_untold(member, ben, server, at_rest):
    """A move of which nobody was told, as if its process had died; returns what tells of it."""
    mails = server.app[TELLER]
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


async def test_who_has_the_board_open_by_then_is_not_told(member, ben, post_office, server, at_rest):
    mails = await left_untold(member, ben, server, at_rest)
    (news,) = await server.app[SITE].store.outbox.untold(10)
    async with member.follow({"id": news.game}) as socket:
        await socket.until("snapshot")
        await mails.tell_from_before()
    assert (await at_rest(), post_office.mails) == (0, [])
    assert list(await server.app[SITE].store.outbox.untold(10)) == []


async def test_a_result_of_long_ago_is_not_told_any_more(member, ben, post_office, server, at_rest, clock):
    """On a site that had no mail when the game ended."""
    mails = await left_untold(member, ben, server, at_rest)
    (news,) = await server.app[SITE].store.outbox.untold(10)
    await resign(ben, {"id": news.game})
    clock.turn(TOLD_WITHIN_MS + 1_000)
    await mails.tell_from_before()
    assert (await at_rest(), post_office.mails) == (0, [])
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
    whole = LetterWriter.write_letter

    def broken(writer, news, *rest):
        if news.game.id == first:
            raise ValueError("a letter that cannot be written")
        return whole(writer, news, *rest)

    monkeypatch.setattr(LetterWriter, "write_letter", broken)
    await mails.tell_from_before()
    (mail,) = await post_office.delivered(1)
    assert mail["References"].startswith(f"<{second}@")
    monkeypatch.undo()
    await mails.tell_the_rest()
    assert {mail["References"][1:11] for mail in await post_office.delivered(2)} == {first, second}


async def test_nobody_is_ever_told_what_somebody_they_have_blocked_asks_of_them(
    member, ben, post_office, server, at_rest
):
    """It is made like any other, and waits for an answer that does not come."""
    mails = server.app[TELLER]
    await register(ben, "Ben")
    await go(member, "/@/Ben/block")
    game = await ben.post("/api/games", 201, variant="chess", clock=DAYS, to="Anna")
    await say(ben, game, "Hello")
    for _ in range(2):
        await mails.tell_the_rest()
    assert (await at_rest(), post_office.mails) == (0, [])
    assert list(await server.app[SITE].store.outbox.untold(10)) == []
