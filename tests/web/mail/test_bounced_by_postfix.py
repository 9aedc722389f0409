"""A mail that comes back through a real postfix, set up as docs/mail.md says: the report finds its way to the site."""

import asyncio

import pytest

from server.web.site import SITE
from tests.support.free_port import free_port
from tests.support.mail.games_of_days import game_of, play_alone
from tests.support.mail.postfix import needs_postfix, postfix
from tests.support.mail.told import told_at
from tests.support.web.accounts import page_of, register
from tests.support.web.in_process import default_settings

pytestmark = [needs_postfix, pytest.mark.slow]

DOMAIN = "play.chess.test"
BOX = "anna@players.test"
REPORTED_S = 20


@pytest.fixture
def lmtp_port():
    return free_port()


@pytest.fixture
async def mta(post_office, lmtp_port):
    """The host's mail server. The post office is that of the players."""
    places = {"mailboxes": post_office.port, "lmtp_port": lmtp_port, "domain": DOMAIN, "players_domain": "players.test"}
    async with postfix(**places) as server:
        yield server


@pytest.fixture
def settings(tmp_path, monkeypatch, mta, lmtp_port):
    more = {"smtp_url": mta.url, "mail_from": f"games@{DOMAIN}", "mail_lmtp_port": lmtp_port}
    return default_settings(tmp_path, monkeypatch, **more)


async def told_of_failures(person, server):
    """What the store has of the person's address as soon as a report has come."""
    owner = (await person.get("/api/me"))["id"]
    async with asyncio.timeout(REPORTED_S):
        while True:
            (address,) = await server.app[SITE].store.addresses.of(owner)
            if address.refused or address.bounced:
                return address
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("answer", "given_up"), [("550 5.1.1 There is no such mailbox", True), ("552 5.2.2 The mailbox is full", False)]
)
async def test_the_report_of_a_mail_server_about_a_mailbox_reaches_the_site(
    anna, ben, server, post_office, mta, answer, given_up
):
    await register(anna, "Anna")
    await told_at(anna, post_office, BOX, turns="on")
    post_office.answers[BOX] = answer
    await play_alone(ben, await game_of(ben, anna), "e2e4", 0)
    try:
        address = await told_of_failures(anna, server)
    except TimeoutError:
        pytest.fail(mta.log())
    assert address.in_effect is not given_up
    assert ("to this address has been undeliverable since" in await page_of(anna)) is given_up
