"""A stand-in for MongoDB, one for all tests of a process that ask for it."""

import pytest

from tests.support.storage.engines import start_nx


@pytest.fixture(scope="session")
def nx_address(tmp_path_factory):
    server, address = start_nx(tmp_path_factory.mktemp("nx"))
    yield address
    server.kill()
    server.wait()
