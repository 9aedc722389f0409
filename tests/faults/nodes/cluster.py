"""Two nodes over one store and one Redis, and tables whose players sit at different nodes. Knows no faults."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from tests.faults.nodes.redis_proxy import RedisProxy
from tests.support.live.followers import Table
from tests.support.live.processes import SITE
from tests.support.redis_server import RedisServer
from tests.support.storage.engines import MongoPlace
from tests.support.web.host import QuickHost

OWN_CLOCK = "sitecustomize.py"
"""In a node's folder, Python runs it first in that node's process."""


class Cluster:
    """`nodes` reach Redis through `proxies`, one each."""

    def __init__(
        self, nodes: list[QuickHost], proxies: list[RedisProxy], place: MongoPlace, redis: RedisServer
    ) -> None:
        self.nodes, self.proxies, self.place, self.redis = nodes, proxies, place, redis

    async def start(self, *numbers: int) -> None:
        """These nodes, at the same time."""
        await asyncio.gather(*(self._start(number) for number in numbers))

    async def _start(self, number: int) -> None:
        node, redis = self.nodes[number], self.proxies[number].through(self.redis.url)
        shared = {"MONGODB_URI": self.place.uri, "REDIS_URL": redis}
        own = {"PYTHONPATH": str(node.folder)} if (node.folder / OWN_CLOCK).exists() else {}
        await node.start(PUBLIC_URL=SITE, **shared, **own)

    async def mend(self) -> None:
        """Redis and both nodes run, and nothing is wrong with the proxies between them."""
        for proxy in self.proxies:
            proxy.be_good()
        if self.redis.process.returncode is not None:
            await self.redis.start()
        gone = [number for number, node in enumerate(self.nodes) if node.process.returncode is not None]
        for number in {0, 1} - set(gone):
            self.nodes[number].process.send_signal(signal.SIGCONT)
        await self.start(*gone)

    def port(self, number: int) -> int:
        return self.nodes[number].port

    async def come(self, tables: list[Table]) -> None:
        """White to the first node, Black to the second."""
        for table in tables:
            for number, player in enumerate(table.players):
                await player.come(self.port(number))

    async def stored(self, tables: list[Table]) -> dict:
        """The games of `tables` as the store has them, by id."""
        store = await self.place.open()
        return {table.game: await store.load(table.game) for table in tables}


@asynccontextmanager
async def open_cluster(folder: Path, seed: int, database: str) -> AsyncIterator[Cluster]:
    """Redis runs, the nodes do not yet. Their store is in a database of its own at the address `database`."""
    redis = RedisServer()
    await redis.start()
    nodes = []
    for name in ("one", "two"):
        (folder / name).mkdir()
        nodes.append(QuickHost(folder / name))
    try:
        place = MongoPlace(database)
        async with AsyncExitStack() as open_proxies:
            target = ("127.0.0.1", redis.port)
            proxies = [await open_proxies.enter_async_context(RedisProxy(target, seed + number)) for number in range(2)]
            try:
                yield Cluster(nodes, proxies, place, redis)
            finally:
                for node in nodes:
                    await node.kill()
                await place.leave()
    finally:
        await redis.kill()
