"""A place for a store on each engine, and stores opened there."""

import os
from contextlib import closing

import pytest
import uvloop
from pymongo import AsyncMongoClient

from server.storage.mongo import client as mongo_client
from tests.support.storage.engines import ENGINES, REAL_MONGODB, SuiteDatabase, place_of
from tests.support.storage.mongo_explained import UNLIKE_MONGODB

if os.environ.get("MONGO_DRIVER") == "pymongo":
    # What would take motor's place: its one seam is `DRIVER`, and this is all that would change.
    mongo_client.DRIVER = AsyncMongoClient


def marks_of(engine):
    row = pytest.mark.row("F15", suite=f"the suite of all stores on {engine}")
    return row if engine == "sqlite" else (row, pytest.mark.slow)


def pytest_asyncio_loop_factories():
    """The event loop is that of the server."""
    return {"uvloop": uvloop.new_event_loop}


def pytest_generate_tests(metafunc):
    """Each test of the suite on each engine."""
    for name, those in (("place", ENGINES), ("shared_place", ENGINES[1:])):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, [pytest.param(one, marks=marks_of(one)) for one in those], indirect=True)


@pytest.fixture(scope="session")
def secantus_database(secantus):
    with closing(SuiteDatabase(secantus.uri, UNLIKE_MONGODB)) as database:
        yield database


@pytest.fixture(scope="session")
def mongodb_database():
    with closing(SuiteDatabase(REAL_MONGODB)) as database:
        yield database


@pytest.fixture
async def place(request):
    """Where stores are kept: the suite runs on each engine."""
    where = place_of(request.param, request)
    yield where
    wasteful = where.wasteful()
    await where.leave()
    assert wasteful == [], "needs an index, or a reason in tests/support/storage/query_plans.py or mongo_plans.py"


@pytest.fixture
async def shared_place(request):
    """Where several stores can be open at once."""
    where = place_of(request.param, request)
    yield where
    wasteful = where.wasteful()
    await where.leave()
    assert wasteful == [], "needs an index, or a reason in tests/support/storage/mongo_plans.py"


@pytest.fixture
async def store(place):
    return await place.open()
