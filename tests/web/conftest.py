"""A whole site in this process, on its own store, and people who visit it."""

import asyncio
from contextlib import AsyncExitStack

import pytest
from aiohttp.test_utils import TestServer
from argon2 import PasswordHasher

from server.app import build_app
from server.web.assets import find_assets
from server.web.edge.serving import EdgeRunner
from server.web.people import hashing
from tests.support.web.in_process import default_settings
from tests.support.web.people import Person
from tests.web.held_socket import Held

ORIGIN = "http://localhost:8080"


@pytest.fixture
def settings(tmp_path, monkeypatch):
    return default_settings(tmp_path, monkeypatch)


@pytest.fixture
def cheap_hashes(monkeypatch):
    """For tests of what is done with the answers; the parameters are tested by themselves."""
    monkeypatch.setattr(hashing, "HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    monkeypatch.setattr(hashing.Hashing.__init__, "__defaults__", (hashing.HASHER,))


class Served(TestServer):
    """An application at a free port, as `server.app.serve` runs it."""

    async def _make_runner(self, **_):
        return EdgeRunner(self.app)


@pytest.fixture
async def server(settings):
    server = Served(build_app(settings, find_assets()))
    await server.start_server()
    yield server
    await server.close()


@pytest.fixture
async def connect(server):
    """Opens connections to the server, whose bytes are chosen by the test."""
    opened = []

    async def to(first=b""):
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        opened.append(writer)
        writer.write(first)
        return reader, writer

    yield to
    for writer in opened:
        writer.transport.abort()


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
async def held():
    return Held()
