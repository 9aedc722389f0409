"""One process of live play whose players answer by mail; their answers are kept instead of sent."""

import pytest

from server.mail.inbound.replies import ReplyLimits
from server.rules.variant.pieces import Color
from server.web.budgets.buckets import RateLimit
from tests.support.mail.post import Accounts, Mailboxes, Post
from tests.support.realtime.fixtures import clock, node, store, variants

__all__ = ["clock", "node", "store", "variants"]


@pytest.fixture
def limits():
    return ReplyLimits(*(RateLimit(10**9, 1) for _ in range(4)))


@pytest.fixture
async def post(node, limits):
    node.store.addresses = Mailboxes()
    node.store.accounts = Accounts()
    post = Post(node, limits)
    yield post
    post.worker.close()


@pytest.fixture
async def game(post, variants):
    return await post.game(variants)


@pytest.fixture
async def begun(post, game):
    """After 1. e4 e5."""
    await post.reply(game, Color.WHITE, "e4")
    await post.reply(game, Color.BLACK, "e5")
    return game
