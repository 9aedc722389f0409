"""What every test of the bench stands on."""

import random

import aiohttp
import pytest

from tests.support.live.followers import seat_tables
from tests.support.live.ledger import Ledger
from tests.support.live.processes import SITE
from tests.support.web.host import QuickHost


@pytest.fixture
async def host(tmp_path):
    """A server that is not started yet, in a process of its own; nothing of it is left afterwards."""
    host = QuickHost(tmp_path)
    yield host
    await host.kill()


@pytest.fixture
async def open_host(host):
    """A server as if behind a proxy: so each client has an address of their own, and every limit is in force."""
    return await host.start(PUBLIC_URL=SITE)


@pytest.fixture
def ledger():
    return Ledger()


@pytest.fixture
def rng(seed):
    return random.Random(seed)


@pytest.fixture
async def web():
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as http:
        yield http


@pytest.fixture
def seated(open_host, web, ledger):
    """Seats so many tables of recorded games: `await seated(40)`. Nobody has a socket yet."""

    async def seat(count, **how):
        return await seat_tables(web, open_host.port, count, ledger, **how)

    return seat
