"""SecantusDB, one for all tests of a process that ask for it."""

import pytest

from tests.support.storage.secantus import secantus_in_memory


@pytest.fixture(scope="session")
def secantus():
    with secantus_in_memory() as server:
        yield server
