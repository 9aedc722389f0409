"""Whoever was suspended or closed when their account was deleted comes back neither by its name nor by its address, for
as long as that would have lasted, and 90 days at most.
"""

import pytest

from server.games.clocks.time_control import DAY_MS
from server.games.joining import JoinRequest
from server.games.sanctions import OUTLIVES_MS
from server.realtime.services.joining import ask_to_join
from server.storage.admin_commands import AdmitAddress, DeletePlayer, ImposeSanction, Pardon
from server.storage.tables.accounts import fold
from server.storage.tables.addresses import MailAddress
from server.web.accounts.accounts import ACCOUNTS
from server.web.operation.host_commands import carry_out_command
from server.web.operation.housekeeping import forget
from tests.support.mail.mail_server import link_in
from tests.support.web.accounts import PASSWORD, go, page_of, register

pytestmark = pytest.mark.usefixtures("unlimited")
BOX, NEVER_CONFIRMED = "ben@example.org", "victim@example.org"


async def command(site, order):
    said = await carry_out_command(site.store, order, site.now(), "", print, "root")
    await site.live.sanctions.tell()
    return said


@pytest.fixture
def later(site, monkeypatch):
    """Has it be so many ms later for the whole site."""
    now, turned = type(site.now).__call__, []
    monkeypatch.setattr(type(site.now), "__call__", lambda self: now(self) + sum(turned))
    return turned.append


@pytest.fixture
def deleted(site, server, ben):
    """Ben, who has confirmed one address and not the other, is deleted under that measure."""

    async def delete(measure, length, *, pardoned=False):
        await register(ben, "Ben")
        owner, now = (await site.store.accounts.find("Ben")).user, site.now()
        await site.store.addresses.add(MailAddress(owner, BOX, "en", now, confirmed=now))
        await site.store.addresses.add(MailAddress(owner, NEVER_CONFIRMED, "en", now))
        await command(site, ImposeSanction("Ben", measure, "insult", length, ""))
        if pardoned:
            await command(site, Pardon("Ben"))
        await command(site, DeletePlayer("Ben", sure=True))
        for _ in range(2):
            await server.app[ACCOUNTS].merges.carry_out_all()
        assert list(await site.store.addresses.of(owner)) == []

    return delete


@pytest.fixture
def confirming(visitor, site, post_office):
    """What a new account is answered that opens the link which was sent to an address."""

    async def confirm(name, box):
        person = await visitor()
        await register(person, name)
        seen = len(post_office.mails)
        assert await go(person, "/account/mail", address=box, password=PASSWORD) == "/account?mailed"
        path, token = link_in((await post_office.delivered(seen + 1))[-1], "/mail/confirm").split("#")
        answer = await go(person, path, token=token)
        (address,) = await site.store.addresses.of((await site.store.accounts.find(name)).user)
        assert address.in_effect == (answer[0] == 200)
        return answer

    return confirm


@pytest.mark.parametrize(
    ("measure", "length", "days"), [("suspend", "7d", 7), ("suspend", "ever", 90), ("close", "30d", 90)]
)
async def test_neither_name_nor_address_is_good_while_it_would_have_lasted(
    site, visitor, deleted, confirming, measure, length, days
):
    await deleted(measure, length)
    for name in ("Ben", "bEN"):
        assert (await go(await visitor(), "/register", name=name, password=PASSWORD))[0] == 409
    status, page = await confirming("Benjamin", "Ben+again@example.org")
    assert (status, f"No other account can use the address for {days} more days." in page) == (403, True)
    assert "write to the host" in page
    assert (await confirming("Victor", NEVER_CONFIRMED))[0] == 200, "Ben has typed it, but never read a mail there"


@pytest.mark.parametrize("why", ["it is over", "he was pardoned", "he was only muted"])
async def test_who_is_not_shut_out_any_more_uses_their_address_again(deleted, confirming, later, why):
    muted = why == "he was only muted"
    await deleted("mute" if muted else "suspend", "7d", pardoned=why == "he was pardoned")
    if why == "it is over":
        later(7 * DAY_MS)
    assert (await confirming("Benjamin", BOX))[0] == 200


async def test_only_hashes_are_kept_and_not_longer_than_90_days(site, deleted, later):
    await deleted("suspend", "ever")
    (kept,) = await site.store.sanctions._kept_out.find()
    assert sorted(kept) == ["_id", "until"]
    assert "ben" not in kept["_id"]
    assert OUTLIVES_MS == 90 * DAY_MS
    for days, left in ((89, 1), (2, 0)):
        later(days * DAY_MS)
        await forget(site)
        assert len(await site.store.sanctions._kept_out.find()) == left


async def test_who_answers_requests_reads_that_the_address_was_shut_out(site, host, deleted):
    await deleted("suspend", "ever")
    for name, box in (("Benjamin", BOX), ("Olga", "olga@example.org"), ("Nuri", "")):
        assert await ask_to_join(site.store, JoinRequest(fold(name), name, "hash", "Hello.", site.now(), box, "en"))
    page = await page_of(host, "/host/joining")
    assert page.count("that of an account that was suspended or closed") == 1
    assert page.index("Benjamin") < page.index("suspended or closed") < page.index("Olga")


async def test_the_host_lets_an_address_in_again_by_a_command_that_the_log_has_without_it(site, deleted, confirming):
    await deleted("suspend", "ever")
    assert await command(site, AdmitAddress("nobody@example.org")) == ""
    assert await command(site, AdmitAddress(BOX)) == "yes"
    assert await command(site, AdmitAddress(BOX)) == ""
    assert (await confirming("Benjamin", BOX))[0] == 200
    told = [one.detail for one in await site.store.desk.log(site.now(), 99)]
    assert "AdmitAddress" in told
    assert BOX not in " ".join(told)
