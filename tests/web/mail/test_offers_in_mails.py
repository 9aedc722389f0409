"""Offers in correspondence games, as mails tell of them: pauses, takebacks, draws, rematches."""

import pytest

from server.web.notifications.teller import TELLER
from server.web.site import SITE
from tests.support.mail.games_of_days import both_moved, game_of, offer, play_alone, resign
from tests.support.mail.mail_server import link_in, text_of
from tests.support.mail.told import BOX
from tests.support.web.accounts import register
from tests.support.web.people import play


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
    assert over["Subject"] == f"Chess against {name} ({game['id']})" == asked["Subject"]
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
    assert mail["Subject"] == f"Chess against {name} ({game['id']})"
    assert "is paused: the clocks stand still." in text_of(mail)
    assert "End the pause: http" in text_of(mail)
    assert link_in(mail, f"/{game['id']}") == f"/{game['id']}"


async def test_a_takeback_that_is_asked_for_is_told_at_once_and_a_draw_with_the_move(member, ben, post_office, at_rest):
    game = await both_moved(ben, member, post_office)
    await offer(ben, game, "draw")
    assert (await at_rest(), post_office.mails) == (0, [])
    await play_alone(ben, game, "g1f3", 2)
    (mail,) = await post_office.delivered(1)
    assert "offers a draw." in text_of(mail)
    await offer(ben, game, "takeback")
    mail = (await post_office.delivered(2))[1]
    assert "asks to take the last move back." in text_of(mail)
    assert "It is your move." in text_of(mail)


async def test_an_offer_to_who_is_not_to_move_says_so(member, ben, post_office):
    game = await both_moved(ben, member, post_office)
    await play_alone(ben, game, "g1f3", 2)
    await post_office.delivered(1)
    await play_alone(member, game, "b8c6", 3)
    await offer(ben, game, "takeback")
    mail = (await post_office.delivered(2))[1]
    assert "asks to take the last move back." in text_of(mail)
    assert "is to move; the last move was 2... Nc6." in text_of(mail)


async def test_a_rematch_that_is_offered_is_told(member, ben, post_office):
    game = await both_moved(ben, member, post_office)
    await resign(ben, game)
    await post_office.delivered(1)
    await offer(ben, game, "rematch")
    said = text_of((await post_office.delivered(2))[1])
    assert "offers a rematch." in said
    assert "White resigned. You won." in said


async def declined(ben, game):
    async with ben.follow(game) as socket:
        snapshot = await socket.until("snapshot")
        (made,) = snapshot["offers"]
        assert (await socket.command(t="decline", offer=made["offer"]))["t"] == "ok"


@pytest.mark.parametrize(
    ("kind", "said_so"),
    [
        ("draw", "Ben has declined a draw."),
        ("takeback", "Ben has declined to have a move taken back."),
        ("pause", "Ben has declined a pause."),
    ],
)
async def test_whose_offer_was_declined_is_told_so_although_a_process_died(
    member, ben, post_office, server, all_sent, kind, said_so
):
    await register(ben, "Ben")
    game = await both_moved(ben, member, post_office)
    await play_alone(ben, game, "g1f3", 2)
    await play_alone(member, game, "b8c6", 3)
    await offer(member, game, kind)
    await all_sent()
    told, teller = len(post_office.mails), server.app[TELLER]
    server.app[SITE].live.services.events._subscribers.remove(teller.hear)
    await declined(ben, game)
    await teller.tell_from_before()
    await all_sent()
    (mail,) = post_office.mails[told:]
    assert (mail["To"], text_of(mail).startswith(said_so)) == (BOX, True)


async def test_whose_offer_was_declined_hears_it_once_and_with_nothing_later(member, ben, post_office, all_sent):
    await register(ben, "Ben")
    game = await both_moved(ben, member, post_office)
    await offer(member, game, "draw")
    await declined(ben, game)
    await all_sent()
    heard = [text_of(mail) for mail in post_office.mails]
    assert heard[-1].splitlines()[:2] == ["Ben has declined a draw.", "Ben is to move; the last move was 1... e5."]
    await play_alone(ben, game, "g1f3", 2)
    await all_sent()
    assert len(post_office.mails) == len(heard) + 1
    assert "declined" not in text_of(post_office.mails[-1])


async def test_whose_takeback_was_accepted_is_told_so(member, ben, post_office, all_sent):
    await register(ben, "Ben")
    game = await both_moved(ben, member, post_office)
    await play_alone(ben, game, "g1f3", 2)
    await play_alone(member, game, "b8c6", 3)
    await offer(member, game, "takeback")
    async with ben.follow(game) as socket:
        snapshot = await socket.until("snapshot")
        (made,) = snapshot["offers"]
        assert (await socket.command(t="accept", offer=made["offer"]))["t"] == "ok"
    await all_sent()
    assert text_of(post_office.mails[-1]).startswith("Ben has agreed: the move is taken back.")
