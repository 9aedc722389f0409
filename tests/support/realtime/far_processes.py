"""Two processes in one, each with a way of its own to MongoDB and to Redis, which a test cuts and mends."""

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager, suppress

from server.realtime.cluster.redis_bus import RedisBus
from server.storage.errors import StoreError
from tests.support.proxy import Proxy
from tests.support.realtime.node import Node


class Far:
    """A process and its ways to the stores."""

    def __init__(self, node, bus, database):
        self.node, self.bus, self.database = node, bus, database

    def cut(self, what):
        for name in what.split():
            getattr(self, name).cut_all()

    async def beat(self):
        """What its loops do every second or so."""
        live = self.node.live
        await live._heartbeat.tell_nodes()
        with suppress(StoreError):
            await live._heartbeat.beat()
        await live.leave_pages_if_cut_off()
        for one in live.rounds:
            one.repeat_presence()


@asynccontextmanager
async def two_processes(redis, place, clock):
    """Both, on the database of `place` and on `redis`; they hear each other until they are left."""
    async with AsyncExitStack() as opened:
        both, running = [], []
        for _ in range(2):
            bus, database = [await opened.enter_async_context(Proxy.of(url)) for url in (redis.url, place.uri)]
            node = Node(await place.open(database.through(place.uri)), clock, RedisBus(bus.through(redis.url)))
            services = node.live.services
            running.append(asyncio.create_task(services.bus.run(node.live.others.hear_notice, lambda _: None)))
            both.append(Far(node, bus, database))
        yield both
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for far in both:
            await far.node.live.services.background.finish(1)


def turn_clock(processes, ms):
    """Turns the clock that both have, and fires every timer that is due."""
    processes[0].node.clock.turn(ms)
    for far in processes:
        far.node.live.services.timers.fire_due()
