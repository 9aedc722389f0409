"""A place for a store on each engine, and stores opened there."""

import os

import pytest
import uvloop
from pymongo import AsyncMongoClient

from server.storage.mongo import client as mongo_client
from tests.support.storage.engines import ENGINES, place_of
from tests.support.storage.fixtures import nx_address

__all__ = ["nx_address"]


if os.environ.get("MONGO_DRIVER") == "pymongo":
    # What would take motor's place: its one seam is `DRIVER`, and this is all that would change.
    mongo_client.DRIVER = AsyncMongoClient


def marks_of(engine):
    row = pytest.mark.row("F15", suite=f"the suite of all stores on {engine}")
    return row if engine == "sqlite" else (row, pytest.mark.slow)


def pytest_asyncio_loop_factories():
    """The event loop is that of the server."""
    return {"uvloop": uvloop.new_event_loop}


ONE_SUITE = [pytest.param(engine, marks=marks_of(engine)) for engine in ENGINES]


@pytest.fixture(params=ONE_SUITE)
async def place(request):
    """Where stores are kept: the suite runs on each engine."""
    where = place_of(request.param, request)
    yield where
    await where.leave()
    if hasattr(where, "plans"):
        assert list(where.plans.wasteful()) == [], "needs an index, or a reason in tests/support/storage/query_plans.py"


@pytest.fixture(params=[pytest.param(engine, marks=pytest.mark.slow) for engine in ENGINES if engine != "sqlite"])
async def shared_place(request):
    """Where several stores can be open at once."""
    where = place_of(request.param, request)
    yield where
    await where.leave()


@pytest.fixture
async def store(place):
    return await place.open()
