"""Replies that offer, accept, claim or resign: once, for what the mail showed, and never by guess."""

import pytest

from server.games.changes.claiming import ChooseFlagging
from server.games.changes.playing import PlayMove
from server.games.clocks.time_control import DAY_MS
from server.games.state import OfferKind
from server.games.status import Status
from server.mail.inbound.replies import SmtpStatus
from server.rules.variant.pieces import Color
from tests.support.mail.post import keys, sans

W, B = Color.WHITE, Color.BLACK


def move_meanwhile(post, game, monkeypatch, ply):
    """White plays Nf3 as that half-move once the next mail was found to be about the turn before."""
    read, jobs = post.worker.run, []

    async def read_slowly(work):
        jobs.append(work)
        # The first two read the mail, and its commands.
        if len(jobs) == 3:
            await post.node.rounds.in_memory(game.id).submit(PlayMove(W, "g1f3", ply), post.node.clock())
        return await read(work)

    monkeypatch.setattr(post.worker, "run", read_slowly)


async def test_a_pause_is_made_and_ended_by_replies(post, begun):
    report = await post.reply(begun, W, "pause")
    assert keys(report) == ["pause_offered"]
    report = await post.reply(begun, B, "accept")
    assert (keys(report), post.now(begun).status) == (["accepted"], Status.ADJOURNED)
    report = await post.reply(begun, W, "Nf3")
    assert (report.refused.id, sans(post.now(begun))) == ("paused", ["e4", "e5"])
    report = await post.reply(begun, B, "resume")
    assert (keys(report), post.now(begun).status) == (["resumed"], Status.LIVE)


async def test_an_old_reply_does_not_end_a_later_pause(post, begun):
    for _ in range(2):
        await post.reply(begun, W, "pause")
        await post.reply(begun, B, "pause")
        old = post.address(post.now(begun), W)
        await post.hand_over(old, "resume", "<1@x>")
        assert post.now(begun).status is Status.LIVE
        await post.hand_over(old, "resume", "<2@x>")
        assert post.answers[-1].report.refused.id == "going_on"
    await post.reply(begun, W, "pause")
    await post.reply(begun, B, "pause")
    await post.hand_over(old, "resume", "<3@x>")
    assert post.now(begun).status is Status.ADJOURNED


@pytest.mark.parametrize(("line", "reason"), [("claim", "time"), ("claim draw", "forgiven")])
async def test_a_game_is_claimed_by_a_reply_when_the_opponents_time_is_over(post, begun, clock, line, reason):
    game = await post.node.rounds.get(begun.id)
    await game.submit(ChooseFlagging(B, True), clock())
    early = await post.reply(begun, B, line)
    assert (early.refused.id, post.now(begun).outcome) == ("claim_in_time", None)
    clock.turn(3 * DAY_MS)
    report = await post.reply(begun, B, line)
    assert (keys(report), post.now(begun).outcome.reason) == (["claimed"], reason)


async def test_a_move_and_a_draw_offer_in_one_mail(post, begun):
    report = await post.reply(begun, W, "Nf3\ndraw")
    assert keys(report) == ["played", "draw_offered"]
    assert keys(await post.reply(begun, B, "accept")) == ["accepted"]
    assert post.now(begun).result == "1/2-1/2"


async def test_a_draw_offer_that_comes_after_the_mail_does_not_refuse_the_move(post, begun):
    address = post.address(post.now(begun), W)
    await post.reply(begun, B, "draw")
    await post.hand_over(address, "Nf3")
    assert sans(post.now(begun)) == ["e4", "e5", "Nf3"]


@pytest.mark.parametrize(("line", "confirms"), [("draw", False), ("takeback", False), ("resign {game}", True)])
async def test_a_reply_does_nothing_once_a_move_is_made_while_it_is_read(post, begun, monkeypatch, line, confirms):
    """It is about the position before: an offer would stand after a move that it had not seen."""
    move_meanwhile(post, begun, monkeypatch, 2)
    await post.hand_over(post.address(post.now(begun), B, confirms=confirms), line.format(game=begun.id))
    assert post.answers[-1].report.refused.id == "stale"
    game = post.now(begun)
    assert (game.offers, game.status, sans(game)) == ((), Status.LIVE, ["e4", "e5", "Nf3"])


async def test_no_game_is_aborted_by_a_reply_once_a_move_is_made_while_it_is_read(post, game, monkeypatch):
    move_meanwhile(post, game, monkeypatch, 0)
    report = await post.reply(game, B, "abort")
    assert (report.refused.id, post.now(game).status) == ("stale", Status.LIVE)


async def test_a_move_is_not_played_after_a_takeback_that_its_mail_showed(post, begun):
    """As many half-moves have been played again, and other ones."""
    await post.reply(begun, W, "Nf3")
    await post.reply(begun, W, "takeback")
    before = post.address(post.now(begun), B)
    await post.reply(begun, B, "accept")
    await post.reply(begun, W, "d4")
    await post.hand_over(before, "Nc6")
    assert (post.answers[-1].report.refused.id, sans(post.now(begun))) == ("outdated", ["e4", "e5", "d4"])


async def test_an_offer_is_made_after_a_takeback_that_its_mail_accepts(post, begun):
    await post.reply(begun, W, "Nf3")
    await post.reply(begun, W, "takeback")
    report = await post.reply(begun, B, "accept\npause")
    assert (keys(report), sans(post.now(begun))) == (["accepted", "pause_offered"], ["e4", "e5"])


async def test_an_offer_comes_once_of_one_mail(post, begun):
    address = post.address(post.now(begun), B)
    await post.hand_over(address, "takeback", "<1@x>")
    await post.reply(begun, W, "decline")
    await post.hand_over(address, "takeback", "<2@x>")
    assert post.now(begun).offers == ()
    assert post.answers[-1].report.refused.id == "outdated"


async def test_an_offer_that_the_mail_did_not_show_is_not_accepted(post, begun):
    address = post.address(post.now(begun), B)
    await post.reply(begun, W, "draw")
    await post.hand_over(address, "accept")
    assert post.now(begun).status is Status.LIVE
    assert post.answers[-1].report.refused.id == "outdated"


async def test_an_own_offer_is_withdrawn(post, begun):
    await post.reply(begun, W, "draw")
    assert [offer.kind for offer in post.now(begun).offers] == [OfferKind.DRAW]
    await post.reply(begun, W, "decline")
    assert post.now(begun).offers == ()


async def test_there_must_be_an_offer_to_accept(post, begun):
    assert (await post.reply(begun, W, "accept")).refused.id == "no_offer"


async def test_of_two_offers_neither_is_accepted_by_guess(post, begun):
    await post.reply(begun, W, "draw")
    await post.reply(begun, W, "takeback")
    assert (await post.reply(begun, B, "accept")).refused.id == "several_offers"
    assert post.now(begun).status is Status.LIVE


async def test_resigning_takes_a_second_reply(post, begun):
    report = await post.reply(begun, W, f"resign {begun.id}")
    assert report.asks
    assert post.now(begun).status is Status.LIVE
    sure = post.address(post.now(begun), W, confirms=True)
    assert await post.hand_over(sure, f"resign {begun.id}") == SmtpStatus.DONE
    assert post.now(begun).result == "0-1"


async def test_another_game_is_not_resigned(post, begun):
    sure = post.address(post.now(begun), W, confirms=True)
    await post.hand_over(sure, "resign 0123456789")
    assert post.now(begun).status is Status.LIVE


async def test_a_game_is_aborted_by_mail_until_both_have_moved(post, game):
    late = post.address(game, W)
    await post.reply(game, W, "e4")
    assert await post.hand_over(late, "abort") == SmtpStatus.DONE
    assert post.answers[-1].report.refused.id == "outdated"
    assert keys(await post.reply(game, B, "abort")) == ["aborted"]
    assert post.now(game).outcome.reason == "abort"


async def test_a_game_that_both_have_begun_is_not_aborted(post, begun):
    assert (await post.reply(begun, W, "abort")).refused.id == "too_late_to_abort"
