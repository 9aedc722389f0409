"""A mail server in this process, and a store with mail in its outbox."""

import pytest

from server.storage.sqlite.store import SqliteStore
from tests.support.games import VARIANTS
from tests.support.mail.mail_server import mail_server


@pytest.fixture
async def post_office():
    async with mail_server() as server:
        yield server


@pytest.fixture
async def store(tmp_path):
    store = await SqliteStore.open(tmp_path / "games.sqlite3", VARIANTS)
    yield store
    await store.close()
