"""A site of which people want to be told later, and a clock that is turned to when they are."""

import pytest

from server.games.clocks.time_control import DAY_MS
from server.mail.quiet_hours import HOUR_MS
from server.web.notifications.digests import DIGESTS
from tests.support.free_port import free_port
from tests.support.mail.told import BOX, told_at
from tests.support.web.accounts import register
from tests.support.web.in_process import default_settings


@pytest.fixture
def port():
    return free_port()


@pytest.fixture
def settings(tmp_path, monkeypatch, post_office, port):
    return default_settings(
        tmp_path, monkeypatch, smtp_url=post_office.url, mail_from="games@chess.example.org", mail_lmtp_port=port
    )


@pytest.fixture
def wishing(anna, post_office, clock):
    """Registers Anna, who wants to be told so often."""

    async def register_her(**wishes):
        # So that the next full hour is not that of daily news.
        clock.turn((10 * HOUR_MS + 900_000 - clock()) % DAY_MS)
        await register(anna, "Anna")
        await told_at(anna, post_office, BOX, **wishes)
        return anna

    return register_her


@pytest.fixture
def due(server, post_office, clock, all_sent):
    """Turns the clock to the next full hour, or by that much, and gives the mails that come of it."""

    async def wait(turn=None):
        await all_sent()
        before = len(post_office.mails)
        clock.turn(HOUR_MS - clock() % HOUR_MS if turn is None else turn)
        await server.app[DIGESTS].tell_due()
        await all_sent()
        return post_office.mails[before:]

    return wait
