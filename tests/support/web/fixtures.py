"""A whole site in this process, on its own store, and people who visit it."""

from contextlib import AsyncExitStack

import pytest
from aiohttp.test_utils import TestServer

from server.app import build_app
from server.realtime.runtime.timers import Now
from server.web.assets import find_assets
from server.web.budgets.buckets import RateLimit
from server.web.budgets.limits import Limits
from server.web.edge import EdgeRunner
from server.web.site import SITE
from tests.support.realtime.hand_clock import HandClock
from tests.support.web.described import watch
from tests.support.web.in_process import default_settings
from tests.support.web.origins import ORIGIN
from tests.support.web.people import Person


@pytest.fixture
def settings(tmp_path, monkeypatch):
    return default_settings(tmp_path, monkeypatch)


class Served(TestServer):
    """An application at a free port, as `server.serving` runs it."""

    async def _make_runner(self, **_):
        return EdgeRunner(self.app)


@pytest.fixture
async def server(settings):
    app = build_app(settings, find_assets())
    watching = watch(app)
    server = Served(app)
    await server.start_server()
    yield server
    await server.close()
    assert watching.wrong == [], watching.wrong


@pytest.fixture
def clock(server, monkeypatch):
    """The clock of the whole site stands still until it is turned, so that no limit gives anything back meanwhile."""
    clock = HandClock(server.app[SITE].now())
    monkeypatch.setattr(Now, "__call__", lambda _: clock())
    return clock


@pytest.fixture
async def visitor(server):
    """Makes a new person with an empty cookie jar."""
    async with AsyncExitStack() as present:

        async def arrive(origin=ORIGIN):
            return await present.enter_async_context(Person(server.make_url("/"), origin))

        yield arrive


@pytest.fixture
async def anna(visitor):
    return await visitor()


@pytest.fixture
async def ben(visitor):
    return await visitor()


@pytest.fixture
async def carla(visitor):
    return await visitor()


@pytest.fixture
def unlimited(server):
    """For attacks that must fail though nobody counts them: a limit would hide what it only delays."""
    for name in Limits.__slots__:
        setattr(server.app[SITE].limits, name, RateLimit(10**9, 1))
