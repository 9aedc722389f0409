"""What every test of the bench stands on."""

import pytest

from tests.web.host import Host


@pytest.fixture
async def host(tmp_path):
    """A server that is not started yet, in a process of its own; nothing of it is left afterwards."""
    host = Host(tmp_path)
    yield host
    await host.kill()
