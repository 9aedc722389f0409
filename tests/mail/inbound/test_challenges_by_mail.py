"""Replies to mails about challenges and about games that are over: accepting, declining, playing again."""

import pytest

from server.games.player import Player
from server.games.state import OfferKind
from server.games.status import Status
from server.games.terms import Terms
from server.mail.inbound.mail_report import HelpOn
from server.mail.inbound.replies import SmtpStatus
from server.realtime.play.creation import propose_game
from server.rules.variant.pieces import Color
from tests.support.mail.post import DAYS
from tests.support.realtime.node import BLACK, WHITE

W, B = Color.WHITE, Color.BLACK


def keys(report):
    return [sentence.key.partition(".")[2] for sentence in report.done]


@pytest.fixture
async def asked(post, variants):
    return await post.challenge(variants)


async def test_a_challenge_is_accepted_by_mail_and_the_game_played_on(post, asked):
    assert keys(await post.reply(asked, B, "accept")) == ["joined"]
    assert post.now(asked).status is Status.LIVE
    await post.reply(asked, W, "e4")
    await post.reply(asked, B, "e5")
    assert [ply.san for ply in post.now(asked).plies] == ["e4", "e5"]


async def test_a_challenge_is_declined_by_mail(post, asked):
    assert keys(await post.reply(asked, B, "decline")) == ["refused"]
    assert post.now(asked).outcome.reason == "declined"
    assert await post.hand_over(post.address(asked, B), "accept") == SmtpStatus.UNKNOWN
    assert post.now(asked).status is Status.OVER


async def test_of_a_challenge_that_comes_twice_one_game_begins(post, asked):
    address = post.address(asked, B)
    for number in range(2):
        assert await post.hand_over(address, "accept", f"<{number}@x>") == SmtpStatus.DONE
    assert [keys(answer.report) for answer in post.answers] == [["joined"], []]


@pytest.mark.parametrize("text", ["e5", "accept\ne5", "draw", "resign {game}", "say hello", "takeback"])
async def test_nothing_is_done_in_a_game_before_it_is_accepted(post, asked, text):
    report = await post.reply(asked, B, text.replace("{game}", asked.id))
    assert (report.done, report.refused.id) == ([], "accept_first")
    assert post.now(asked).status is Status.OPEN


async def test_whoever_is_challenged_may_look_and_ask(post, asked):
    assert (await post.reply(asked, B, "help")).told == [HelpOn("")]
    assert len((await post.reply(asked, B, "preview e4 e5")).boards) == 1


async def test_who_has_too_many_games_is_told_and_begins_none(post, asked):
    post.full = True
    assert (await post.reply(asked, B, "accept")).refused.id == "games_at_once"
    assert post.now(asked).status is Status.OPEN
    assert keys(await post.reply(asked, B, "decline")) == ["refused"]


async def test_nobody_but_the_challenged_can_accept(post, asked):
    elsewhere = post.addresses.write_address(post.addresses.read_address(post.address(asked, B)))
    post.node.store.addresses.known.pop("black-id")
    assert await post.hand_over(elsewhere, "accept") == SmtpStatus.UNKNOWN
    assert post.now(asked).status is Status.OPEN


async def test_a_rematch_is_offered_and_accepted_by_mail(post, variants):
    game = await post.game(variants)
    await post.hand_over(post.address(game, W, confirms=True), f"resign {game.id}")
    assert keys(await post.reply(game, W, "rematch")) == ["rematch_offered"]
    assert [offer.kind for offer in post.now(game).offers] == [OfferKind.REMATCH]
    assert keys(await post.reply(game, B, "accept")) == ["accepted"]
    again = await post.node.rounds.get(post.now(game).next)
    assert again.game.white.name == "Boris"


async def test_a_rematch_can_be_asked_for_when_the_game_is_over_only(post, variants):
    game = await post.game(variants)
    assert (await post.reply(game, W, "rematch")).refused is not None


async def test_a_proposed_game_is_accepted_by_both_by_mail(post, variants):
    chess = variants["chess"]
    terms = Terms(chess, False, chess.start_fen, DAYS, rated=False)
    game = await propose_game(post.node.rounds.services, terms, WHITE, BLACK, Player("third-id", "Thea"))
    await post.node.rounds.get(game.id)
    assert keys(await post.reply(game, W, "accept")) == ["joined_first"]
    assert post.now(game).status is Status.OPEN
    assert keys(await post.reply(game, B, "accept")) == ["joined"]
    assert post.now(game).status is Status.LIVE


async def test_whoever_is_blocked_accepts_nothing_by_mail_and_has_no_rematch(post, asked, variants):
    game = await post.game(variants)
    await post.hand_over(post.address(game, W, confirms=True), f"resign {game.id}")
    post.node.live.services.blocks.replace_of(WHITE.id, [(WHITE.id, BLACK.id)])
    assert (await post.reply(asked, B, "accept")).refused.id == "cannot_join"
    assert post.now(asked).status is Status.OPEN
    assert (await post.reply(game, B, "rematch")).refused.id == "no_rematch"
    assert post.now(game).offers == ()


async def test_a_challenge_is_withdrawn_by_whoever_made_it(post, asked):
    assert keys(await post.reply(asked, W, "abort")) == ["withdrawn"]
    assert post.now(asked).outcome.reason == "abort"


async def test_whoever_made_a_challenge_is_not_told_to_accept_it(post, asked):
    assert (await post.reply(asked, W, f"resign {asked.id}")).refused.id == "not_started"
    assert (await post.reply(asked, B, "abort")).refused.id == "accept_first"
    assert post.now(asked).status is Status.OPEN
