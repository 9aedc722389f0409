"""A registered person in each kind of store."""

import pytest

from tests.support.storage.accounts import ANNA, guest, session


@pytest.fixture
async def anna(store):
    """Anna, registered, with the session `first`."""
    await guest(store)
    await store.accounts.register(ANNA, session("first"), "guest")
    return ANNA
