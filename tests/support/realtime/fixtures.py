"""What every test of live play starts from."""

import pytest

from server.rules.catalogue import load_catalogue
from tests.support.realtime.hand_clock import HandClock
from tests.support.realtime.node import Deaf, House
from tests.support.storage.memory_store import MemoryStore


@pytest.fixture(scope="session")
def variants():
    return load_catalogue()


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
async def house(store, clock):
    house = House(store, clock)
    yield house
    await house.live.services.background.finish(0)


@pytest.fixture
async def houses(store, clock):
    """Two processes on one store that hear nothing of each other."""
    both = [House(store, clock, Deaf()) for _ in range(2)]
    yield both
    for house in both:
        await house.live.services.background.finish(0)


@pytest.fixture
def lobby(house):
    return house.live.lobby
