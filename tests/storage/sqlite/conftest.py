"""The embedded store, and where its file is."""

import pytest

from server.storage.sqlite.store import SqliteStore
from tests.support.rules.built_in import VARIANTS


@pytest.fixture
def path(tmp_path):
    return tmp_path / "games.sqlite3"


@pytest.fixture
async def store(path):
    opened = await SqliteStore.open(path, VARIANTS, wait_ms=50)
    yield opened
    await opened.close()
