"""A site whose host has set a mail server, which is real and stands in this process."""

import pytest

from server.storage.fields import LAST_MS
from server.web import mailing
from server.web.site import SITE
from tests.support.mail.mail_server import mail_server
from tests.support.mail.told import BOX, WISHES, told_at
from tests.support.web.accounts import register
from tests.support.web.in_process import default_settings

FROM = "games@chess.example.org"


@pytest.fixture
async def post_office():
    async with mail_server() as server:
        yield server


@pytest.fixture(autouse=True)
def pictures(monkeypatch):
    """Mails have none here, as each site would start a process to draw them; a test that is about them overrides it."""

    async def none(*_):
        return b""

    monkeypatch.setattr(mailing, "picture_of", none)


@pytest.fixture
def settings(tmp_path, monkeypatch, post_office):
    return default_settings(tmp_path, monkeypatch, smtp_url=post_office.url, mail_from=FROM)


@pytest.fixture
def at_rest(server, post_office):
    """Waits until the site has put into the outbox whatever it will, and says how many mails are still to be taken."""
    site = server.app[SITE]

    async def wait():
        await site.live.services.background.finish(5)
        waiting = await site.store.outbox.due(LAST_MS, 100)
        return len({f"<{mail.id}@chess.example.org>" for mail in waiting} - post_office.taken)

    return wait


@pytest.fixture
def all_sent(post_office, at_rest):
    """Waits until the mail server has all mails that there are."""

    async def wait():
        while await at_rest():
            seen = len(post_office.mails)
            await post_office.until(lambda seen=seen: len(post_office.mails) > seen)

    return wait


@pytest.fixture
async def member(anna, post_office):
    await register(anna, "Anna")
    await told_at(anna, post_office, BOX, **WISHES)
    return anna
