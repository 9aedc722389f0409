"""A bus through Redis that runs, and what it heard."""

import asyncio

from server.realtime.cluster.redis_bus import RedisBus
from tests.support.patience import PATIENCE_S


class Listener:
    """A bus that runs, and what it heard."""

    def __init__(self, url, *topics):
        self.bus = RedisBus(url)
        self.heard = []
        self.missed = []
        for topic in topics:
            self.bus.follow(topic)
        self.task = asyncio.create_task(self.bus.run(self.heard.append, self.missed.append))

    @property
    def resyncs(self):
        return sum(missed.rest for missed in self.missed)

    @property
    def games(self):
        return frozenset().union(*(missed.games for missed in self.missed))

    async def stop(self):
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)


async def until(condition, seconds=PATIENCE_S):
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - what is waited for happens in another process
            await asyncio.sleep(0.005)
