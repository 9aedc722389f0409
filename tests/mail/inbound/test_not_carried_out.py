"""Mails that are not obeyed, or put off: those of programs, too many of them, while nothing can be stored."""

import asyncio

import pytest

from server.mail.inbound.replies import ReplyLimits, SmtpStatus
from server.rules.variant.pieces import Color
from server.web.budgets.buckets import RateLimit
from tests.support.mail.post import sans

W, B = Color.WHITE, Color.BLACK


@pytest.mark.parametrize(
    "headers", ["Auto-Submitted: auto-replied\r\n", "Precedence: bulk\r\n", "List-Id: <x.y>\r\n"], ids=lambda it: it[:4]
)
async def test_programs_are_neither_obeyed_nor_answered(post, game, headers):
    assert await post.hand_over(post.address(game, W), "e4", headers=headers) == SmtpStatus.DONE
    assert (sans(post.now(game)), post.answers) == ([], [])


async def test_a_mail_without_a_return_path_is_neither_obeyed_nor_answered(post, game):
    assert await post.hand_over(post.address(game, W), "e4", sender="") == SmtpStatus.DONE
    assert (sans(post.now(game)), post.answers) == ([], [])


async def test_a_conversation_with_a_program_that_does_not_say_so_ends(node, post, game):
    post.replies._limits = ReplyLimits(*(RateLimit(10**9, 1) for _ in range(3)), RateLimit(6, 3600))
    for _ in range(50):
        assert await post.hand_over(post.address(post.now(game), W), "I am away until Monday.") == SmtpStatus.DONE
    assert len(post.answers) == 6


@pytest.mark.parametrize("which", ["by_player", "by_seat", "here"])
async def test_too_many_mails_are_put_off_and_none_is_lost(post, game, which):
    one = dict.fromkeys(("by_player", "by_seat", "here", "refused"), RateLimit(10**9, 1)) | {which: RateLimit(2, 3600)}
    post.replies._limits = ReplyLimits(**one)
    found = [await post.hand_over(post.address(post.now(game), W), "show") for _ in range(3)]
    assert found == [SmtpStatus.DONE, SmtpStatus.DONE, SmtpStatus.TOO_MANY]


async def test_a_mail_beyond_its_limit_is_not_read(post, game, monkeypatch):
    often, jobs, run = RateLimit(10**9, 1), [], post.worker.run
    post.replies._limits = ReplyLimits(by_player=RateLimit(2, 3600), by_seat=often, here=often, refused=often)

    async def counted(work):
        jobs.append(work)
        return await run(work)

    monkeypatch.setattr(post.worker, "run", counted)
    for _ in range(2):
        assert await post.hand_over(post.address(post.now(game), B), "hello") == SmtpStatus.DONE
    read = len(jobs)
    for address in (post.address(post.now(game), B), post.own_address(B)):
        assert await post.hand_over(address, "hello") == SmtpStatus.TOO_MANY
    assert len(jobs) == read


async def test_an_opponent_s_rubbish_keeps_nobody_waiting_and_silences_nobody(post, begun):
    rare, often = RateLimit(3, 3600), RateLimit(10**9, 1)
    post.replies._limits = ReplyLimits(by_player=often, by_seat=RateLimit(5, 3600), here=often, refused=rare)
    for _ in range(20):
        await post.hand_over(post.address(post.now(begun), B), "I am away until Monday.")
    before = len(post.answers)
    assert await post.hand_over(post.address(post.now(begun), W), "Nf9") == SmtpStatus.DONE
    assert len(post.answers) == before + 1
    assert await post.hand_over(post.address(post.now(begun), W), "Nf3") == SmtpStatus.DONE
    assert sans(post.now(begun)) == ["e4", "e5", "Nf3"]


async def test_a_flood_to_one_address_uses_up_nothing_of_what_all_share(post, game):
    often, shared = RateLimit(10**9, 1), RateLimit(4, 3600)
    post.replies._limits = ReplyLimits(by_player=often, by_seat=RateLimit(2, 3600), here=shared, refused=often)
    for _ in range(20):
        await post.hand_over(post.address(post.now(game), B), "show")
    assert await post.hand_over(post.address(post.now(game), W), "e4") == SmtpStatus.DONE
    assert sans(post.now(game)) == ["e4"]


async def test_a_flood_by_one_person_to_many_addresses_uses_up_little_of_what_all_share(post, game):
    often, shared = RateLimit(10**9, 1), RateLimit(4, 3600)
    post.replies._limits = ReplyLimits(by_player=RateLimit(3, 3600), by_seat=often, here=shared, refused=often)
    for _ in range(20):
        await post.hand_over(post.address(post.now(game), B), "show")
    assert await post.hand_over(post.address(post.now(game), W), "e4") == SmtpStatus.DONE
    assert sans(post.now(game)) == ["e4"]


async def test_the_last_answer_before_there_are_none_says_so(post, game):
    post.replies._limits = ReplyLimits(*(RateLimit(10**9, 1) for _ in range(3)), RateLimit(3, 3600))
    for _ in range(5):
        await post.hand_over(post.address(post.now(game), W), "Nf9")
    assert [answer.report.is_last for answer in post.answers] == [False, False, True]


async def test_while_the_store_is_away_mails_are_put_off(post, game, node):
    address = post.address(game, W)
    node.store.down = True
    taking = asyncio.create_task(post.hand_over(address, "e4", "<1@x>"))
    while not taking.done():
        await node.tick(500)
    assert await taking == SmtpStatus.LATER
    node.store.down = False
    await node.pass_time(5)
    assert await post.hand_over(address, "e4", "<1@x>") == SmtpStatus.DONE
    assert sans(post.now(game)) == ["e4"]


async def test_a_server_that_stops_takes_no_more(post, game, node):
    node.rounds.stopping = True
    assert await post.hand_over(post.address(game, W), "e4") == SmtpStatus.LATER


async def test_a_mail_that_was_under_way_when_the_server_stopped_is_put_off(post, game):
    post.worker.close()
    assert await post.hand_over(post.address(game, W), "e4") == SmtpStatus.LATER


async def test_the_game_of_a_deleted_game_is_unknown(post, game, node, variants):
    address = post.address(game, W)
    node.rounds._rounds.clear()
    node.store.games.clear()
    assert await post.hand_over(address, "e4") == SmtpStatus.UNKNOWN
