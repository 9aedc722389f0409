"""People at the front page."""

import pytest

from tests.support.web.accounts import register, token_of


@pytest.fixture
def member(off_screen, seat):
    """Somebody with an account, whose browser they have signed in with."""

    async def come(name):
        registered, player = await off_screen(), await seat()
        await register(registered, name)
        cookie = {"name": "sid", "value": token_of(registered), "url": player.site}
        await player.context.add_cookies([cookie])
        return player

    return come
