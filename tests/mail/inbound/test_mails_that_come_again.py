"""A mail whose commands were interrupted by the store comes again, and ends as if nothing had been in its way.

Each mail is tried with each call of the store failing, before or after it has written.
"""

import asyncio

import pytest

from server.games.changes.claiming import ChooseFlagging
from server.games.clocks.time_control import DAY_MS
from server.mail.inbound.replies import SmtpStatus
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable
from tests.support.mail.post import keys, sans

W, B = Color.WHITE, Color.BLACK
MAILS = {
    "a move": "Nf3",
    "a move and words": "Nf3\nsay Good luck!",
    "words and a move": "say Good luck!\n\nNf3",
    "a move and a draw": "Nf3\ndraw",
    "a draw and a move": "draw\nNf3",
    "a move, a draw and words": "Nf3\ndraw\nsay Shall we?",
    "a move and a pause": "Nf3\npause",
    "a pause and words": "pause\nsay I am off to sea",
    "two offers": "draw\npause",
    "a takeback and words": "takeback\nsay Sorry",
    "a move with answers": "Nf3\nif Nc6 then Bb5\nsay Your turn",
    "two messages": "say One\n\nsay Two",
    "declining and a move": "decline\nNf3",
    "declining, a move and words": "decline\nNf3\nsay Let us play on",
    "agreeing with a move": "Nf3\naccept",
    "agreeing and words": "accept\nsay Thank you",
    "resigning and words": "say Well played\n\nresign {game}",
    "aborting and words": "abort\nsay Sorry",
}
OFFERED = {"declining", "agreeing"}
WRITES = ("save", "add_chat")


class Failing:
    """A store whose write of that number fails, `after` it has written or before."""

    def __init__(self, store, monkeypatch, nth, after):
        self.writes, self.nth, self.after, self.failing = 0, nth, after, True
        for name in WRITES:
            monkeypatch.setattr(store, name, self._wrapped(getattr(store, name)))

    def _wrapped(self, write):
        async def maybe(*args, **kwargs):
            mine = self.writes
            self.writes += 1
            failed = self.failing and mine >= self.nth
            if not failed or (self.after and mine == self.nth):
                await write(*args, **kwargs)
            if failed:
                raise Unavailable("the store is away")

        return maybe


async def offered(post, game, name):
    if name.split()[0].rstrip(",") in OFFERED:
        await post.reply(game, B, "draw")


def end_state(post, game, lines):
    now = post.now(game)
    offers = sorted((one.kind, one.by) for one in now.offers)
    said = [line.text for line in lines.get(game.id, ())]
    return sans(now), offers, now.status, now.outcome, said, now.conditional


async def hand_over(post, address, text, node):
    """Hands it over, while the clock goes on."""
    handing = asyncio.create_task(post.hand_over(address, text, "<1@x>"))
    while not handing.done():
        await asyncio.sleep(0)
        node.clock.turn(50)
    return await handing


@pytest.mark.parametrize("after", [False, True], ids=["nothing was written", "it was written"])
@pytest.mark.parametrize("name", MAILS)
async def test_a_mail_that_was_interrupted_is_completed_once(post, variants, node, monkeypatch, name, after):
    states = []
    nth = 0
    while True:
        # So that nobody says too much.
        node.clock.turn(60_000)
        with monkeypatch.context() as patch:
            game = await post.game(variants)
            for color, move in ((W, "e4"), (B, "e5")):
                await post.reply(game, color, move)
            await offered(post, game, name)
            address = post.address(post.now(game), W, confirms="resign" in name or "resigning" in name)
            text = MAILS[name].format(game=game.id)
            if not states:
                assert await hand_over(post, address, text, node) == SmtpStatus.DONE
                states.append(end_state(post, game, node.store.lines))
                continue
            store = Failing(node.store, patch, nth, after)
            first = await hand_over(post, address, text, node)
            store.failing = False
            if store.writes <= nth:
                break
            assert first in (SmtpStatus.LATER, SmtpStatus.DONE)
            # What the process remembers is gone.
            post.replies._done.clear()
            assert await hand_over(post, address, text, node) == SmtpStatus.DONE
            assert end_state(post, game, node.store.lines) == states[0]
            nth += 1
    assert nth > 0 or "aborting" in name


async def come_again(post, address, text, node):
    """The same mail twice, as the answer to the first had no room; returns the answer. Nothing is done twice."""
    post.room = False
    assert await hand_over(post, address, text, node) == SmtpStatus.LATER
    post.room, before = True, dict(node.store.games)
    assert await hand_over(post, address, text, node) == SmtpStatus.DONE
    assert node.store.games == before
    return post.answers[-1].report


ANSWERS = {
    "a draw": ("draw", "accept", ["accepted"]),
    "a draw, by the same offer": ("draw", "draw", ["accepted"]),
    "a draw, with words": ("draw", "accept\nsay Thank you", ["accepted", "said"]),
    "no draw": ("draw", "decline", ["declined"]),
    "no takeback": ("takeback", "decline", ["declined"]),
    "a takeback": ("takeback", "accept", ["accepted"]),
    "a takeback, and a pause": ("takeback", "accept\npause", ["accepted", "pause_offered"]),
    "a pause": ("pause", "accept", ["accepted"]),
    "a pause, by the same offer": ("pause", "pause", ["accepted"]),
}


@pytest.mark.parametrize("name", ANSWERS)
async def test_answers_to_offers_come_again(post, begun, node, name):
    offered, text, said = ANSWERS[name]
    await post.reply(begun, W, "Nf3")
    await post.reply(begun, W, offered)
    address = post.address(post.now(begun), B)
    report = await come_again(post, address, text, node)
    assert (sorted(keys(report)), report.refused) == (sorted(said), None)
    await post.hand_over(address, text, "<another@x>")
    assert post.answers[-1].report.refused is not None


ENDS = {
    "resigning": ("resign {game}", ["resigned"]),
    "withdrawing": ("decline", ["declined"]),
    "going on": ("resume", ["resumed"]),
    "claiming": ("claim", ["claimed"]),
    "claiming a draw": ("claim draw", ["claimed"]),
}


@pytest.mark.parametrize("name", ENDS)
async def test_what_can_be_done_only_once_comes_again(post, begun, node, name):
    text, said = ENDS[name]
    if name == "withdrawing":
        await post.reply(begun, B, "draw")
    if name == "going on":
        await post.reply(begun, W, "pause")
        await post.reply(begun, B, "accept")
    if "claiming" in name:
        await (await node.rounds.get(begun.id)).submit(ChooseFlagging(B, True), node.clock())
        node.clock.turn(3 * DAY_MS)
    address = post.address(post.now(begun), B, confirms=name == "resigning")
    report = await come_again(post, address, text.format(game=begun.id), node)
    assert (keys(report), report.refused) == (said, None)
    await post.hand_over(address, text.format(game=begun.id), "<another@x>")
    assert post.answers[-1].report.refused is not None


@pytest.mark.parametrize(("color", "text", "said"), [
    (B, "accept", "joined"), (B, "decline", "refused"), (W, "abort", "withdrawn"),
])  # fmt: skip
async def test_answers_to_challenges_come_again(post, variants, node, color, text, said):
    asked = await post.challenge(variants)
    address = post.address(asked, color)
    report = await come_again(post, address, text, node)
    assert (keys(report), report.refused) == ([said], None)
    status = await post.hand_over(address, text, "<another@x>")
    assert status == SmtpStatus.UNKNOWN if text == "decline" else post.answers[-1].report.refused is not None


async def test_an_accepted_rematch_comes_again(post, begun, node):
    await post.hand_over(post.address(post.now(begun), W, confirms=True), f"resign {begun.id}")
    await post.reply(begun, W, "rematch")
    report = await come_again(post, post.address(post.now(begun), B), "accept", node)
    assert (keys(report), report.refused) == (["accepted"], None)


@pytest.mark.parametrize("other", ["0000000000", "zzzzzzzzzz"])
async def test_a_mail_that_resigned_another_game_comes_again(post, begun, node, other):
    address = post.address(post.now(begun), W, confirms=True)
    post.room = False
    assert await hand_over(post, address, f"resign {other}", node) == SmtpStatus.LATER
    post.room = True
    await post.hand_over(address, f"resign {begun.id}", "<another@x>")
    assert node.store.games[begun.id].outcome.reason == "resign"
    answered = len(post.answers)
    assert await hand_over(post, address, f"resign {other}", node) == SmtpStatus.DONE
    assert [keys(answer.report) for answer in post.answers[answered:]] == [[]]


async def test_a_refused_mail_comes_again(post, begun, node):
    report = await come_again(post, post.address(post.now(begun), W), "accept", node)
    assert (report.done, report.refused.id) == ([], "no_offer")


async def test_the_same_words_in_a_later_turn_are_said_again(post, begun):
    await post.reply(begun, W, "Nf3\nsay Thanks")
    post.node.clock.turn(60_000)
    await post.reply(begun, B, "Nc6\nsay You too")
    post.node.clock.turn(60_000)
    await post.reply(begun, W, "say Fine")
    await post.reply(begun, W, "Bb5\nsay Thanks")
    assert [line.text for line in post.node.store.lines[begun.id]] == ["Thanks", "You too", "Fine", "Thanks"]


async def test_words_with_a_move_that_was_made_on_the_site_are_said(post, begun):
    address = post.address(post.now(begun), W)
    await post.reply(begun, W, "Nf3")
    await post.hand_over(address, "Nf3\nsay Good luck!")
    assert keys(post.answers[-1].report) == ["played_before", "said"]


async def test_a_move_with_agreement_is_played_and_the_game_drawn(post, begun):
    await post.reply(begun, B, "draw")
    assert keys(await post.reply(begun, W, "Nf3\ndraw")) == ["played", "accepted"]
    assert (sans(post.now(begun))[-1], post.now(begun).result) == ("Nf3", "1/2-1/2")
