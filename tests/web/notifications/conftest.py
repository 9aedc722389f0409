"""A push service on this machine, and a browser that is subscribed to it."""

import pytest

from server.web.notifications.notifier import NOTIFIER
from server.web.site import SITE
from tests.support.web.accounts import register
from tests.support.web.push_service import Browser, reached

__all__ = ["reached"]


@pytest.fixture
async def browser(server, reached, anna):
    """That of Anna, who has an account, subscribed to web push."""
    _, server.app[NOTIFIER].push = reached
    await register(anna, "Anna")
    browser = Browser("/annas")
    await anna.post("/api/push", 201, **browser.subscription)
    return browser


@pytest.fixture
def pushed(server, reached, browser):
    """What has been pushed to it since the last look."""

    async def look():
        await server.app[SITE].live.services.background.finish(5)
        got, reached[0].got = reached[0].got, []
        return [browser.read(body) for path, _, body in got if path == "/annas"]

    return look
