"""What runs all the time ends when it is told to, though what it waits for has lost that: or the server never stops."""

import asyncio
from contextlib import asynccontextmanager, suppress

import pytest

from server.realtime.cluster.bus import BlocksChanged, GameTopic, SeeksChanged
from server.realtime.cluster.redis_bus import CHANNEL, RedisBus
from server.realtime.runtime.background import every
from tests.support.patience import PATIENCE_S


class Redis:
    """Takes one `command`, and then once forgets a cancellation, as `asyncio.wait_for` of Python 3.11 does at times."""

    def __init__(self, command):
        self.command = command
        self.asked = asyncio.Event()

    async def _take(self, command):
        if command == self.command and not self.asked.is_set():
            self.asked.set()
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()

    async def publish(self, channel, message):
        await self._take("publish")

    async def subscribe(self, *channels):
        if CHANNEL not in channels:
            await self._take("subscribe")

    async def unsubscribe(self, *channels):
        await self._take("unsubscribe")

    async def execute(self):
        await self._take("execute")
        return [0]

    async def aclose(self):
        await self._take("aclose")

    async def listen(self):
        if self.command == "aclose":
            raise ConnectionResetError
        await asyncio.Event().wait()
        yield

    def pipeline(self, transaction):
        return Pipeline(self)

    @asynccontextmanager
    async def pubsub(self):
        yield self


class Pipeline:
    def __init__(self, redis):
        self.execute = redis.execute

    def publish(self, channel, message):
        """Sent by `execute`."""


@pytest.mark.parametrize("command", ["execute", "publish", "subscribe", "unsubscribe", "aclose"])
async def test_a_bus_ends_wherever_its_cancellation_was_lost(monkeypatch, command):
    redis = Redis(command)
    monkeypatch.setattr("server.realtime.cluster.redis_bus.Redis.from_url", lambda url, **_: redis)
    bus = RedisBus("redis://nowhere")
    running = asyncio.create_task(bus.run(lambda notice: None, lambda missed: None))
    bus.tell(BlocksChanged("anna-id"))
    bus.tell(SeeksChanged())
    bus.follow(GameTopic("abcdefghij"))
    if command == "unsubscribe":
        while bus._to_subscribe:  # noqa: ASYNC110 - the next round of the loop
            await asyncio.sleep(0)
        bus.unfollow(GameTopic("abcdefghij"))
    await redis.asked.wait()
    running.cancel()
    ended, _ = await asyncio.wait({running}, timeout=PATIENCE_S)
    assert ended, "the server would never stop"


async def test_regular_work_ends_though_its_cancellation_was_lost():
    begun = asyncio.Event()

    async def work():
        if begun.is_set():
            return
        begun.set()
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()

    running = asyncio.create_task(every(0, work))
    await begun.wait()
    running.cancel()
    ended, _ = await asyncio.wait({running}, timeout=PATIENCE_S)
    assert ended
    assert running.cancelled()
