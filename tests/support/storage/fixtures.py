"""Stand-ins for MongoDB, each one for all tests of a process that ask for it."""

import pytest

from tests.support.storage.engines import start_nx
from tests.support.storage.secantus import secantus_in_memory


@pytest.fixture(scope="session")
def nx_address(tmp_path_factory):
    server, address = start_nx(tmp_path_factory.mktemp("nx"))
    yield address
    server.kill()
    server.wait()


@pytest.fixture(scope="session")
def secantus_address():
    with secantus_in_memory() as server:
        yield server.uri
