"""Two processes on each real store while Redis is stopped, killed or slow: nobody wins because a process heard nothing.

Time is turned by hand; what travels takes the time that it takes.
"""

import asyncio
import signal

import pytest

from server.games.status import Status
from server.realtime.cluster.redis_bus import RedisBus
from tests.support.patience import PATIENCE_S
from tests.support.proxy import Proxy
from tests.support.realtime.listener import until
from tests.support.realtime.node import BLACK, WHITE, Node
from tests.support.redis_server import needs_redis, running_redis
from tests.support.storage.engines import MongoPlace, SqlitePlace

pytestmark = [needs_redis, pytest.mark.slow]
redis = pytest.fixture(running_redis)
AWAY_S = 110
BEAT_S = 2


@pytest.fixture(params=["sqlite", "SecantusDB"])
async def store(request, tmp_path):
    place = SqlitePlace(tmp_path) if request.param == "sqlite" else MongoPlace(request.getfixturevalue("secantus").uri)
    yield await place.open()
    await place.leave()


@pytest.fixture
async def proxy(redis):
    async with Proxy.of(redis.url) as proxy:
        yield proxy


@pytest.fixture
async def nodes(redis, proxy, store, clock):
    both = [Node(store, clock, RedisBus(url)) for url in (redis.url, proxy.through(redis.url))]
    buses = [
        asyncio.create_task(node.live.services.bus.run(node.live.others.hear_notice, lambda _: None)) for node in both
    ]
    yield both
    for node, bus in zip(both, buses, strict=True):
        bus.cancel()
        await asyncio.gather(bus, return_exceptions=True)
        await node.live.services.background.finish(1)


async def answered(client, t, **fields):
    request = client.send(t, **fields)

    def answers():
        client.read()
        return [told for told in client.got if told.get("id") == request and told["t"] in ("ok", "error")]

    await until(answers)
    return answers()[0]


async def beat(nodes):
    for node in nodes:
        await node.live._heartbeat.tell_nodes()
        await node.live._heartbeat.beat()


async def hear_each_other(nodes, clock):
    """Returns when they do; each beats again and again, as what is told while Redis comes back may be lost."""
    hearings = [node.live.services.hearing for node in nodes]

    def hear():
        return all(hearing.hears_all([other.node for other in hearings], clock()) is not None for hearing in hearings)

    async with asyncio.timeout(PATIENCE_S):
        while not hear():
            await beat(nodes)
            await asyncio.sleep(0.05)


def see_both(nodes, game):
    """Each process tells again who is here, as it does every few seconds: the other may not have listened before."""
    rounds = [node.rounds.in_memory(game) for node in nodes]
    for one in rounds:
        one.repeat_presence()
    return all(one.presence.players_here == 2 for one in rounds)


async def test_no_win_is_claimed_of_who_sits_at_another_process(nodes, redis, proxy, store, clock, variants, fault):
    here, there = nodes
    game = await here.new_game(variants)
    white, black = await here.seat(game, WHITE), await there.seat(game, BLACK)
    await until(lambda: all(node.rounds.in_memory(game) is not None for node in nodes))
    await until(lambda: see_both(nodes, game))
    for ply, (player, uci) in enumerate([(white, "e2e4"), (black, "e7e5")]):
        await until(lambda ply=ply: all(len(node.rounds.in_memory(game).game.plies) == ply for node in nodes))
        assert (await answered(player, "move", uci=uci, ply=ply))["t"] == "ok"
    await hear_each_other(nodes, clock)
    await fault.begin(redis, proxy)
    for _ in range(AWAY_S // BEAT_S):
        clock.turn(BEAT_S * 1_000)
        await beat(nodes)
        for node in nodes:
            node.rounds.in_memory(game).repeat_presence()
    for player in (white, black):
        assert (await answered(player, "claim", result="win"))["t"] == "error"
    await fault.end(redis, proxy)
    await hear_each_other(nodes, clock)
    for player in (white, black):
        assert (await answered(player, "claim", result="win"))["t"] == "error"
    assert (await store.load(game)).status is Status.LIVE


class Stopped:
    async def begin(self, redis, proxy):
        redis.process.send_signal(signal.SIGSTOP)

    async def end(self, redis, proxy):
        redis.process.send_signal(signal.SIGCONT)


class Killed:
    async def begin(self, redis, proxy):
        await redis.kill()

    async def end(self, redis, proxy):
        await redis.start()


class Slow:
    async def begin(self, redis, proxy):
        proxy.delay_s = 60.0

    async def end(self, redis, proxy):
        proxy.delay_s = 0.0
        proxy.break_all()


class Deaf:
    """Nothing goes through to one of the two, and it is not told."""

    async def begin(self, redis, proxy):
        proxy.hole = True

    async def end(self, redis, proxy):
        proxy.hole = False
        proxy.break_all()


@pytest.fixture(params=[Stopped, Killed, Slow, Deaf])
def fault(request):
    return request.param()
