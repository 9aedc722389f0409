"""What every test of live play starts from."""

import pytest

from tests.support.realtime.hand_clock import HandClock
from tests.support.realtime.node import Deaf, Node
from tests.support.realtime.wire import Wire
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.memory_store import MemoryStore


@pytest.fixture(scope="session")
def variants():
    return VARIANTS


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
async def node(store, clock):
    node = Node(store, clock)
    yield node
    await node.live.services.background.finish(0)


@pytest.fixture
async def nodes(store, clock):
    """Two processes on one store that hear nothing of each other."""
    both = [Node(store, clock, Deaf()) for _ in range(2)]
    yield both
    for node in both:
        await node.live.services.background.finish(0)


@pytest.fixture
async def both(store, clock):
    """Two processes on one store that hear each other."""
    wire, hearing = Wire(), []
    for _ in range(2):
        end = wire.end()
        hearing.append(Node(store, clock, end))
        wire.nodes[end] = hearing[-1]
    yield hearing
    for node in hearing:
        await node.live.services.background.finish(0)


@pytest.fixture
def lobby(node):
    return node.live.lobby
