"""Two nodes that share one store, which speaks MongoDB's protocol, and one Redis."""

from contextlib import AsyncExitStack

import pytest

from tests.faults.nodes.cluster import Cluster
from tests.faults.nodes.hint_line import HintLine
from tests.faults.players import seat_tables
from tests.redis_server import running_redis
from tests.storage.engines import MongoPlace, start_nx
from tests.web.host import Host

OTHER_CLOCK = """
import time
here = time.time_ns
time.time_ns = lambda: here() + {seconds} * 10**9
time.time = lambda: time.time_ns() / 1e9
"""
"""Python runs it first in a process that has it on its path."""

redis = pytest.fixture(running_redis)


@pytest.fixture
async def place(tmp_path_factory):
    server, address = start_nx(tmp_path_factory.mktemp("nx"))
    place = MongoPlace(address, real=False)
    yield place
    await place.leave()
    server.kill()
    server.wait()


@pytest.fixture
async def closed_cluster(tmp_path, place, redis, seed):
    """Nothing of it runs yet but the store and Redis."""
    async with AsyncExitStack() as open_lines:
        lines = [HintLine(("127.0.0.1", redis.port), seed + number) for number in range(2)]
        for line in lines:
            await open_lines.enter_async_context(line)
        folders = [tmp_path / str(number) for number in range(2)]
        for folder in folders:
            folder.mkdir()
        cluster = Cluster([Host(folder) for folder in folders], lines, place, redis)
        yield cluster
        for node in cluster.nodes:
            await node.kill()


@pytest.fixture
async def cluster(closed_cluster):
    await closed_cluster.start()
    return closed_cluster


@pytest.fixture
async def skewed_cluster(closed_cluster):
    """The clock on the first node's wall is five seconds late, that on the second's five seconds early."""
    for node, seconds in zip(closed_cluster.nodes, (-5, 5), strict=True):
        (node.folder / "sitecustomize.py").write_text(OTHER_CLOCK.format(seconds=seconds))
    await closed_cluster.start()
    return closed_cluster


@pytest.fixture
def across(cluster, web, ledger):
    """Seats so many tables, White at the first node, Black at the second: `await across(40)`."""

    async def seat(count, **how):
        tables = await seat_tables(web, cluster.port(0), count, ledger, **how)
        await cluster.come(tables)
        return tables

    return seat
