"""Two nodes over one store and one Redis, and tables whose players sit at different nodes. Knows no faults."""

import asyncio

from tests.bench.live.processes import SITE
from tests.faults.nodes.hint_line import HintLine
from tests.faults.players import Table
from tests.redis_server import RedisServer
from tests.storage.engines import MongoPlace
from tests.web.host import Host


class Cluster:
    """`nodes` reach Redis through `lines`, one each."""

    def __init__(self, nodes: list[Host], lines: list[HintLine], place: MongoPlace, redis: RedisServer) -> None:
        self.nodes, self.lines, self.place, self.redis = nodes, lines, place, redis

    async def start(self, *numbers: int) -> None:
        """These nodes; all of them if none is named."""
        await asyncio.gather(*(self._start(number) for number in numbers or range(len(self.nodes))))

    async def _start(self, number: int) -> None:
        node, redis = self.nodes[number], self.lines[number].through(self.redis.url)
        shared = {"MONGODB_URI": self.place.uri, "MONGODB_STANDALONE": "true", "REDIS_URL": redis}
        await node.start(PUBLIC_URL=SITE, PYTHONPATH=str(node.folder), **shared)

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
