"""Two processes with a player each while MongoDB and Redis are away: time stands still, nobody wins, and all goes on.

Time is turned by hand; what travels takes the time that it takes. Each process has its own way to either store, so that
they come back in any order.
"""

import asyncio
from contextlib import suppress

import pytest

from server.games.status import Status
from server.storage.errors import StoreError
from server.storage.mongo import client
from tests.support.patience import PATIENCE_S
from tests.support.realtime.far_processes import turn_clock, two_processes
from tests.support.realtime.hand_clock import settle
from tests.support.realtime.listener import until
from tests.support.realtime.node import BLACK, WHITE
from tests.support.redis_server import needs_redis, running_redis
from tests.support.storage.engines import MongoPlace

pytestmark = [needs_redis, pytest.mark.slow]
redis = pytest.fixture(running_redis)
AWAY_S, BETWEEN_S = 400, 3
"""Longer than the clock of either player; and how much later the next store is back."""
LEFT_MS = 120_000
"""Of five minutes, so that next to no time was charged but that between."""


@pytest.fixture
async def place(secantus, monkeypatch):
    # A store that cannot be reached is given up within a moment, of which this test waits for several.
    monkeypatch.setitem(client.OPTIONS, "serverSelectionTimeoutMS", 500)
    place = MongoPlace(secantus.direct_uri)
    yield place
    await place.leave()


@pytest.fixture
async def processes(place, redis, clock):
    async with two_processes(redis, place, clock) as both:
        yield both


async def turn(processes, ms):
    turn_clock(processes, ms)
    await settle()


async def beat(far):
    """What a process does every second or two."""
    node = far.node
    await node.live._heartbeat.tell_nodes()
    with suppress(StoreError):
        await node.live._heartbeat.beat()
        await node.rounds.check_deadlines()
        await node.live.others.look()
        await node.live.others.keep_in_touch()


def plies(far, game):
    found = far.node.rounds.in_memory(game)
    return None if found is None else len(found.game.plies)


async def until_both(processes, so):
    """Returns when `so` is true of both; what is told while a store comes back may be lost, so it is told again."""
    async with asyncio.timeout(PATIENCE_S):
        while not all(map(so, processes)):
            await asyncio.gather(*map(beat, processes))
            await turn(processes, 20)
            await asyncio.sleep(0.02)


def back(processes):
    """The ways to the stores, by which is found again."""
    here, there = processes
    return {"here": [here.database], "there": [there.database], "bus": [here.bus, there.bus]}


@pytest.mark.parametrize("order", ["here there bus", "there here bus", "bus there here"])
async def test_nobody_loses_while_nothing_can_be_stored_or_heard(processes, place, clock, variants, order):
    here, there = processes
    game = await here.node.new_game(variants)
    white, black = await here.node.seat(game, WHITE), await there.node.seat(game, BLACK)
    names = [far.node.live.services.hearing.node for far in processes]
    await until_both(processes, lambda far: far.node.live.services.hearing.hears_all(names, clock()) is not None)
    for ply, (player, uci) in enumerate([(white, "e2e4"), (black, "e7e5")]):
        await until_both(processes, lambda far, ply=ply: plies(far, game) == ply)
        player.send("move", uci=uci, ply=ply)
    await until_both(processes, lambda far: plies(far, game) == 2)
    for far in processes:
        far.bus.cut_all()
        far.database.cut_all()
    white.send("move", uci="g1f3", ply=2)
    await until(lambda: here.node.live.services.stats.store_errors)
    for _ in range(AWAY_S):
        await turn(processes, 1_000)
    for player in (white, black):
        player.send("claim", result="win")
    for name in order.split():
        await asyncio.gather(*map(beat, processes))
        for proxy in back(processes)[name]:
            proxy.cut = False
        await turn(processes, BETWEEN_S * 1_000)
    # The answers to what was sent meanwhile: nothing could be stored, and nobody has left.
    await until_both(processes, lambda _: white.last("error") and black.last("error"))
    for ply, (player, uci) in enumerate([(white, "g1f3"), (black, "b8c6")], 2):
        player.send("move", uci=uci, ply=ply)
        await until_both(processes, lambda far, ply=ply: plies(far, game) == ply + 1)
    stored = await (await place.open()).load(game)
    assert stored.status is Status.LIVE
    assert min(black.last("moved")["clock"][color] for color in ("white", "black")) > LEFT_MS
