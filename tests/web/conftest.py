"""A whole site in this process, on its own store, and people who visit it."""

import functools
from contextlib import AsyncExitStack

import pytest
from aiohttp.test_utils import TestServer
from argon2 import PasswordHasher

from server import app
from server.app import build_app
from server.rules.catalogue import load_catalogue
from server.settings import Settings
from server.web.assets import find_assets
from server.web.front import all_starts
from server.web.people import hashing
from tests.web.people import Person

ORIGIN = "http://localhost:8080"


@functools.cache
def variants():
    return load_catalogue()


KNOWN_STARTS = {}


def starts(_, names):
    """Worked out once for each language."""
    words = tuple(each.tagline for each in names.values())
    if words not in KNOWN_STARTS:
        KNOWN_STARTS[words] = all_starts(variants(), names)
    return KNOWN_STARTS[words]


@pytest.fixture
def settings(tmp_path, monkeypatch):
    """Nothing set, and a data folder of its own. The built-in variants are read once for all tests: it takes 0.2 s."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.setattr(app, "load_catalogue", lambda _: variants())
    monkeypatch.setattr(app, "all_starts", starts)
    return Settings(data_dir=tmp_path / "data")


@pytest.fixture
def cheap_hashes(monkeypatch):
    """For tests of what is done with the answers; the parameters are tested by themselves."""
    monkeypatch.setattr(hashing, "HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    monkeypatch.setattr(hashing.Hashing.__init__, "__defaults__", (hashing.HASHER,))


@pytest.fixture
async def server(settings):
    server = TestServer(build_app(settings, find_assets()))
    await server.start_server()
    yield server
    await server.close()


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
