"""Servers on stores that can fail: a file on a full disk, and MongoDB's protocol over a bad network."""

import resource
from contextlib import asynccontextmanager

import pytest

from tests.support.live.followers import seat_tables, stored_games
from tests.support.live.processes import SITE
from tests.support.proxy import Proxy
from tests.support.storage.engines import MongoPlace


class FailingDisk:
    """The embedded store in a process that may not write to any file, or to none beyond a size."""

    def __init__(self, host):
        self.host = host

    async def start(self):
        await self.host.start(PUBLIC_URL=SITE)

    def fail(self, beyond=0):
        resource.prlimit(self.host.process.pid, resource.RLIMIT_FSIZE, (beyond, resource.RLIM_INFINITY))

    def mend(self):
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(self.host.process.pid, resource.RLIMIT_FSIZE, unlimited)

    async def stored(self, tables):
        await self.host.stop()
        return await stored_games(self.host.folder, tables)


class FarStore:
    """A database behind a proxy that can be cut."""

    def __init__(self, host, place, proxy):
        self.host, self.place, self.proxy = host, place, proxy

    async def start(self):
        await self.host.start(PUBLIC_URL=SITE, MONGODB_URI=self.proxy.through(self.place.uri))

    def fail(self):
        self.proxy.cut_all()

    def mend(self):
        self.proxy.cut = False

    async def stored(self, tables):
        await self.host.stop()
        store = await self.place.open()
        return {table.game: await store.load(table.game) for table in tables}


@asynccontextmanager
async def far_store(host, secantus):
    place = MongoPlace(secantus.direct_uri)
    async with Proxy.of(place.uri) as proxy:
        yield FarStore(host, place, proxy)
        await host.kill()
        await place.leave()


@pytest.fixture
async def far(host, secantus):
    async with far_store(host, secantus) as store:
        await store.start()
        yield store


@pytest.fixture
async def disk(host):
    store = FailingDisk(host)
    await store.start()
    return store


@pytest.fixture(params=["disk", "far"])
def failing(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def tables_at(web, ledger, full):
    """Seats forty tables, or ten, at a server that runs already, with both players' sockets open."""

    async def seat(store):
        tables = await seat_tables(web, store.host.port, 40 if full else 10, ledger)
        for table in tables:
            await table.come()
        return tables

    return seat
