"""Redis that strangers can reach, or that does not let us in, is refused; no message holds a secret (N6)."""

import json

import pytest
from redis.asyncio import Redis

from server.realtime.cluster.redis_bus import CHANNEL, RedisBus
from server.setting_sources import read_settings
from server.settings import InvalidSettings, UnusableRedis
from tests.support.redis_server import RedisServer, needs_redis
from tests.support.web.host import Host

SAFE = [
    "redis://localhost:6379/0",
    "redis://127.0.0.1",
    "redis://[::1]:6379",
    "unix:///run/redis.sock",
    "redis://:secret@redis:6379/0",
    "rediss://somebody:secret@redis.example.org",
    "redis+sentinel://localhost,127.0.0.1:26380/mymaster",
    "rediss+sentinel://somebody:secret@one.example.org,two.example.org/mymaster/1",
]
OPEN_TO_STRANGERS = [
    "redis://redis:6379/0",
    "redis://:@redis:6379/0",
    "rediss://redis.example.org",
    "redis://10.0.0.7",
    "redis://0.0.0.0:6379",
    "redis://localhost.example.org",
    "redis+sentinel://localhost,two.example.org/mymaster",
]
LAST = b"all have moved"
TELLING = {"node", "kind", "notices"}
KINDS = {"GameStored", "PresenceChanged", "SeeksChanged", "PeopleOnNode", "BlocksChanged", "Beat"}
FIELDS = {"game", "rev", "players", "color", "state", "node", "people", "person"}
"""All that a message between servers may say here, also of people who left these servers in other tests. None of it
opens anything: whoever plays shows their cookie.
"""


@pytest.mark.row("N6")
@pytest.mark.parametrize("url", SAFE)
def test_a_redis_address_that_strangers_cannot_use_is_accepted(monkeypatch, url):
    monkeypatch.setenv("FAIRYHOUSE_MONGODB_URI", "mongodb://localhost/site")
    monkeypatch.setenv("FAIRYHOUSE_REDIS_URL", url)
    assert read_settings().redis_url == url


@pytest.mark.row("N6")
@pytest.mark.parametrize("url", OPEN_TO_STRANGERS)
def test_a_redis_address_that_strangers_can_use_is_refused(monkeypatch, url):
    monkeypatch.setenv("FAIRYHOUSE_MONGODB_URI", "mongodb://localhost/site")
    monkeypatch.setenv("FAIRYHOUSE_REDIS_URL", url)
    with pytest.raises(InvalidSettings, match=r"^FAIRYHOUSE_REDIS_URL cannot be used: .*ask for a password"):
        read_settings()


@needs_redis
@pytest.mark.row("N6")
@pytest.mark.asyncio(loop_scope="package")
async def test_a_server_that_redis_rejects_does_not_start(shared_cluster, tmp_path):
    locked, node = RedisServer(password="the right one"), Host(tmp_path)
    await locked.start()
    try:
        for password in ("", ":guessed@"):
            with pytest.raises(UnusableRedis, match="does not let this server in"):
                await RedisBus.join(f"redis://{password}127.0.0.1:{locked.port}/0")
        redis = f"redis://:guessed@127.0.0.1:{locked.port}/0"
        await node.run(MONGODB_URI=shared_cluster.place.uri, REDIS_URL=redis)
        code, errors = await node.end()
    finally:
        await locked.kill()
    assert code != 0
    assert "REDIS_URL cannot be used: Redis does not let this server in" in errors
    assert "Traceback" not in errors
    assert "guessed" not in errors


@needs_redis
@pytest.mark.row("N6")
@pytest.mark.asyncio(loop_scope="package")
async def test_what_servers_tell_each_other_holds_no_secret(cluster, across, rng, counted):
    async with Redis.from_url(cluster.redis.url) as redis, redis.pubsub() as overheard:
        await overheard.psubscribe("fairyhouse:*")
        tables = await across(4)
        for table in tables:
            await table.play(6, 0, rng)
        await redis.publish(CHANNEL, LAST)
        heard = []
        async for message in overheard.listen():
            if message["type"] == "pmessage":
                if message["data"] == LAST:
                    break
                heard.append(message["data"])
    assert len(heard) >= 4 * 6
    messages = [json.loads(text) for text in heard]
    assert set().union(*messages) <= TELLING
    assert {message["kind"] for message in messages} <= KINDS
    assert set().union(*(notice for message in messages for notice in message["notices"])) <= FIELDS
    counted("messages", len(heard))
