"""The analysis board leaves nothing on the server, so that one server and one window serve all tests of a module."""

import pytest


@pytest.fixture(scope="module")
def host(lasting_host):
    return lasting_host


@pytest.fixture
def analyst(regular, seat):
    """Somebody at the analysis board of a variant; who needs `settings` of a window of their own is somebody new."""

    async def sit(variant, more="", **settings):
        player = await seat(**settings) if settings else regular
        await player.open(f"{player.site}/analysis/{variant}{more}")
        return player

    return sit
