"""Bots of the tests' own, on the site of `tests.web`."""

import pytest_asyncio

from tests.support.bots.berserk_client import become_bot


@pytest_asyncio.fixture
async def bots(server, anna, ben):
    """Two bots."""
    site = server.make_url("/")
    return [await become_bot(person, name, site) for person, name in ((anna, "AnnaBot"), (ben, "BenBot"))]
