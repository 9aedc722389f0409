"""Bots at two nodes: what one does at the first, the other reads at the second."""

import asyncio

import pytest

from server.games.people import ApiToken, Scope
from server.games.player import Player
from server.realtime.runtime.ids import digest
from tests.support.bots.berserk_client import BerserkBot, challenge
from tests.support.redis_server import needs_redis
from tests.support.storage.rated_games import register
from tests.support.web.people import FOOLS_MATE

pytestmark = [needs_redis, pytest.mark.asyncio(loop_scope="package")]


NAMES = ("NodeBotA", "NodeBotB")


async def new_bot(store, name, address):
    """A bot that speaks to the node at `address`."""
    token = f"fh_{name:x<43}"
    await register(store, Player(f"id-{name}", name))
    await store.tokens.add(ApiToken(digest(token), f"id-{name}", "test", frozenset(Scope), 1_700_000_000_000))
    bot = BerserkBot(address, name, token)
    await bot.do(bot.client.account.upgrade_to_bot)
    return bot


async def test_two_bots_play_from_node_to_node(cluster):
    addresses = [f"http://127.0.0.1:{cluster.port(number)}" for number in range(2)]
    store = await cluster.place.open()
    bots = [await new_bot(store, name, address) for name, address in zip(NAMES, addresses, strict=True)]
    anna, ben = bots
    events = [bot.listen(bot.client.bots.stream_incoming_events()) for bot in bots]
    game = (await challenge(anna, ben))["id"]
    assert (await events[1].until("challenge"))["challenge"]["id"] == game
    await ben.do(ben.client.bots.accept_challenge, game)
    for stream in events:
        await stream.until("gameStart")
    streams = [bot.listen(bot.client.bots.stream_game_state(game)) for bot in bots]
    for stream in streams:
        await stream.until("gameFull")
    # A program can come by a node that has not heard of the last move.
    elsewhere = [BerserkBot(address, "", bot.token) for bot, address in zip(bots, reversed(addresses), strict=True)]
    for ply, uci in enumerate(FOOLS_MATE):
        mover = (bots if ply < 2 else elsewhere)[ply % 2]
        await mover.do(mover.client.bots.make_move, game, uci)
        for stream in streams:
            assert (await stream.until("gameState"))["moves"].split() == FOOLS_MATE[: ply + 1]
    for stream in events:
        assert (await stream.until("gameFinish"))["game"]["id"] == game
    await asyncio.gather(*(stream.ended.wait() for stream in streams))
