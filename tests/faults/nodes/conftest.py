"""Two nodes that share one store, which speaks MongoDB's protocol, and one Redis: the same ones for all tests here."""

import aiohttp
import pytest_asyncio

from tests.faults.nodes.cluster import OWN_CLOCK, open_cluster
from tests.support.live.followers import seat_tables

LOOP = "package"
OTHER_CLOCK = """
import time
here = time.time_ns
time.time_ns = lambda: here() + {seconds} * 10**9
time.time = lambda: time.time_ns() / 1e9
"""


@pytest_asyncio.fixture(scope="package", loop_scope=LOOP)
async def shared_cluster(tmp_path_factory, seed, secantus):
    async with open_cluster(tmp_path_factory.mktemp("cluster"), seed, secantus.uri) as cluster:
        await cluster.start(0, 1)
        yield cluster


@pytest_asyncio.fixture(loop_scope=LOOP)
async def cluster(shared_cluster):
    """Whole again, whatever was done to it before; after the last test nobody needs that."""
    await shared_cluster.mend()
    return shared_cluster


@pytest_asyncio.fixture(loop_scope=LOOP)
async def skewed_cluster(tmp_path, seed, secantus):
    """Its own: the clock on the first node's wall is five seconds late, that on the second's five seconds early."""
    async with open_cluster(tmp_path, seed, secantus.uri) as cluster:
        for node, seconds in zip(cluster.nodes, (-5, 5), strict=True):
            (node.folder / OWN_CLOCK).write_text(OTHER_CLOCK.format(seconds=seconds))
        await cluster.start(0, 1)
        yield cluster


@pytest_asyncio.fixture(loop_scope=LOOP)
async def web():
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
        yield http


@pytest_asyncio.fixture(loop_scope=LOOP)
async def across(cluster, web, ledger):
    """Seats so many tables, White at the first node, Black at the second: `await across(40)`."""
    seated = []

    async def seat(count, **how):
        tables = await seat_tables(web, cluster.port(0), count, ledger, **how)
        await cluster.come(tables)
        seated.extend(tables)
        return tables

    yield seat
    for table in seated:
        for player in table.players:
            player.leave()
