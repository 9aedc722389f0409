"""Whatever is handed over, in whatever order: no mail makes two moves, and none that is forged or late makes one.

The model knows of each address only which turn of the game it was written for, a turn being the number of half-moves
and of moves taken back before. A mail may move if that is the turn now, and then only once; what follows in the same
change are answers that their players have written in conditional moves.
"""

import asyncio
import random

import pytest

from server.games.status import Status
from server.mail.inbound.addresses import ReplyAddresses
from server.mail.inbound.replies import SmtpStatus
from server.rules.endings import outcome
from server.rules.errors import RulesError
from server.rules.movegen.legal import legal_moves
from server.rules.movegen.making import play_trusted
from server.rules.notation.san import format_san, parse_san
from server.rules.variant.pieces import Color
from tests.support.mail.post import DOMAIN

STEPS = 200
LINES = 20
FORGER = ReplyAddresses(DOMAIN, bytes(32))


def chosen_lines(position, draw):
    """Some short lines of conditional moves, as legal moves."""
    for move in draw.sample(legal_moves(position), min(LINES, len(legal_moves(position)))):
        after = play_trusted(position, move)
        if outcome(after) is None:
            yield [(position, move), (after, draw.choice(legal_moves(after)))]


class Model:
    """What has been handed over: (address, text, Message-ID, turn), and how often each has moved."""

    def __init__(self, post, game, seed):
        self.post, self.game, self.draw = post, game, random.Random(seed)
        self.mails, self.moved, self.takebacks, self.written, self.answered = [], {}, 0, 0, 0
        self.answers = {color: set() for color in Color}

    def turn(self):
        return len(self.post.now(self.game).plies), self.takebacks

    def write(self, color):
        """A new reply of that player to a mail that shows the game as it stands."""
        self.written += 1
        game = self.post.now(self.game)
        moves = [format_san(game.position, move) for move in legal_moves(game.position)]
        others = ["takeback", "takeback", "accept", "accept", "decline", "draw", "say hello", "Nf3", "e5", "hello"]
        text = self.draw.choice(self.draw.choice([moves, others]))
        if self.draw.random() < 0.4:
            text = self.with_conditional_moves(game, color, text)
        mail = (self.post.address(game, color), text, f"<{self.written}@x>", (color, self.turn()))
        self.mails.append(mail)
        return mail

    def with_conditional_moves(self, game, color, text):
        """`text` if it is a move, and conditional moves that may follow; else some for the opponent's turn."""
        try:
            position = play_trusted(game.position, parse_san(game.position, text))
        except RulesError:
            position, text = game.position, ""
        if position.turn is color:
            return text or "hello"
        lines = [[format_san(*one) for one in line] for line in chosen_lines(position, self.draw)]
        self.answers[color].update(san for line in lines for san in line[1::2])
        written = [" ".join(f"{'then' if nth % 2 else 'if'} {san}" for nth, san in enumerate(line)) for line in lines]
        return "\n".join([text, *(written or ["if off"])]).strip()

    async def step(self):
        """Somebody answers, or an earlier mail comes again, under its own or another name, or somebody forges one."""
        kind = self.draw.choice(["new", "new", "new", "again", "renamed", "forged", "other text"])
        mail = self.write(self.draw.choice(list(Color))) if kind == "new" or not self.mails else None
        address, text, name, written_for = mail or self.draw.choice(self.mails)
        if kind == "renamed":
            name = f"<other-{self.draw.random()}@x>"
        if kind == "other text":
            name, text = f"<other-{self.draw.random()}@x>", self.draw.choice(self.mails)[1]
        if kind == "forged":
            address = FORGER.write_address(self.post.addresses.read_address(address))
        before, turn = self.post.now(self.game), self.turn()
        status = await self.post.hand_over(address, text, name)
        after = self.post.now(self.game)
        if kind == "forged":
            assert (status, after) == (SmtpStatus.UNKNOWN, before)
        grown = len(after.plies) - len(before.plies)
        for nth in range(len(before.plies) + 1, len(after.plies)):
            self.answered += 1
            assert after.plies[nth].san in self.answers[after.mover_of(nth)], "nobody has prepared this move"
        if grown == 0 and after.conditional != before.conditional:
            assert written_for[1] == turn, "a late mail has changed conditional moves"
            other = written_for[0].other.value
            assert after.conditional[other] == before.conditional[other], "those of the opponent were changed"
        if grown >= 1:
            assert written_for == (before.to_move, turn), "a late mail, or one of the other player, has moved"
            self.moved[name] = self.moved.get(name, 0) + 1
            assert self.moved[name] == 1, "a mail has made two moves"
        if grown < 0:
            self.takebacks += 1


@pytest.mark.parametrize("case", range(6))
async def test_no_mail_makes_two_moves_and_none_that_is_forged_or_late_makes_one(post, variants, seed, case, node):
    game = await post.game(variants)
    model = Model(post, game, f"{seed} {case}")
    for _ in range(STEPS):
        await model.step()
        node.clock.turn(60_000)
        if post.now(game).status is not Status.LIVE:
            game = model.game = await post.game(variants)
            model.mails.clear()
            model.takebacks = 0
    assert len(model.moved) > 10
    assert model.answered > 0


async def test_two_mails_at_once_make_one_move(post, variants):
    game = await post.game(variants)
    address = post.address(game, Color.WHITE)
    await asyncio.gather(*(post.hand_over(address, text, f"<{text}@x>") for text in ("e4", "d4", "Nf3", "e4")))
    assert len(post.now(game).plies) == 1
