"""A socket without a network."""

import pytest

from tests.web.websocket.held_socket import Held


@pytest.fixture
async def held():
    return Held()
