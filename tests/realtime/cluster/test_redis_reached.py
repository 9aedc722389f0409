"""Redis over TLS, or named by Sentinels one of which is dead; a Redis that cannot join nodes is refused.

All of them are redis-servers of this machine (skipped where there is none).
"""

from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from server.realtime.cluster.bus import GameStored, GameTopic
from server.realtime.cluster.redis_bus import RedisBus
from server.settings import UnusableRedis
from tests.support.certificates import certificate
from tests.support.free_port import free_port
from tests.support.realtime.listener import Listener, until
from tests.support.redis_server import RedisServer, SentinelServer, needs_redis

pytestmark = [needs_redis, pytest.mark.slow]
GAME = "abcdefghij"
PASSWORD = "of-all-three"


@asynccontextmanager
async def running(server):
    await server.start()
    try:
        yield server
    finally:
        await server.kill()


@asynccontextmanager
async def two_listeners(url):
    both = [Listener(url, GameTopic(GAME)) for _ in range(2)]
    try:
        await until(lambda: all(listener.resyncs and listener.games for listener in both))
        yield both
    finally:
        for listener in both:
            await listener.stop()


async def test_notices_go_over_tls_to_a_redis_whose_certificate_is_trusted(tmp_path, caplog):
    made, key = certificate(tmp_path)
    async with running(RedisServer(certificate=(made, key))) as server:
        async with two_listeners(f"{server.url}?ssl_ca_certs={made}") as (here, there):
            here.bus.tell(GameStored(GAME, 1))
            await until(lambda: there.heard)
            assert there.heard == [GameStored(GAME, 1)]
        assert caplog.text == ""
        # Nothing is said to a stranger.
        await RedisBus(server.url).publish([GameStored(GAME, 2)])
        assert "certificate verify failed" in caplog.text


@pytest.fixture
async def sentinel(tmp_path):
    """A Redis, its replica, and their Sentinel, which knows of both."""
    async with AsyncExitStack() as stack:
        master, replica = RedisServer(PASSWORD), RedisServer(PASSWORD)
        replica.follow(master)
        await stack.enter_async_context(running(master))
        await stack.enter_async_context(running(replica))
        sentinel = await stack.enter_async_context(running(SentinelServer(tmp_path, master, PASSWORD)))
        sentinel.master = master
        await sentinel.know_a_replica()
        yield sentinel


def address_of(sentinel, password=PASSWORD, first=()):
    hosts = ",".join([*first, f"127.0.0.1:{sentinel.port}"])
    return f"redis+sentinel://:{password}@{hosts}/mymaster/0"


async def test_notices_go_on_by_themselves_when_sentinels_name_another_redis(sentinel):
    dead = f"127.0.0.1:{free_port()}"
    async with two_listeners(address_of(sentinel, first=[dead])) as (here, there):
        here.bus.tell(GameStored(GAME, 1))
        await until(lambda: there.heard)
        await sentinel.master.kill()
        for listener in (here, there):
            listener.missed.clear()
        # Told while there is none: it is told once there is one.
        here.bus.tell(GameStored(GAME, 2))
        await until(lambda: all(listener.resyncs and listener.games for listener in (here, there)), seconds=60)
        await until(lambda: not here.bus._unsent)
        here.bus.tell(GameStored(GAME, 3))
        await until(lambda: GameStored(GAME, 3) in there.heard)


async def test_a_password_that_sentinels_reject_is_refused_and_not_repeated(sentinel):
    assert isinstance(await RedisBus.join(address_of(sentinel)), RedisBus)
    with pytest.raises(UnusableRedis, match="does not let this server in") as refused:
        await RedisBus.join(address_of(sentinel, password="guessed"))
    assert "guessed" not in str(refused.value)
    # An address of one server, where there is a Sentinel.
    with pytest.raises(UnusableRedis, match=r"redis\+sentinel://"):
        await RedisBus.join(sentinel.url)


async def test_a_sentinel_that_is_away_is_waited_for_and_no_log_has_the_password(caplog):
    away = f"redis+sentinel://:{PASSWORD}@127.0.0.1:{free_port()}/mymaster/0"
    assert isinstance(await RedisBus.join(away), RedisBus)
    assert "No master found" in caplog.text
    assert PASSWORD not in caplog.text


async def test_a_member_of_a_cluster_is_refused(tmp_path):
    # The second port would be 10,000 above the first, where connections of other tests may be.
    options = ("--cluster-enabled", "yes", "--cluster-port", str(free_port()), "--dir", str(tmp_path))
    async with running(RedisServer(options=options)) as server:
        with pytest.raises(UnusableRedis, match="Cluster"):
            await RedisBus.join(server.url)
