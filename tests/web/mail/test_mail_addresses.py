"""Mail addresses of accounts by the pages: added, confirmed by a link, removed, and never anybody else's to see."""

from dataclasses import replace

import pytest

from server.games.clocks.time_control import DAY_MS
from server.web.site import SITE
from tests.support.mail.mail_server import link_in, text_of
from tests.support.web.accounts import PASSWORD, go, page_of, register
from tests.support.web.desk import seat_at_desk

BOX = "anna@example.org"
WAITING, CONFIRMED = "Not confirmed yet", "Confirmed"


async def add(person, address=BOX, password=PASSWORD, **more):
    return await go(person, "/account/mail", address=address, password=password, **more)


async def confirm(person, mail):
    """Follows the link in the mail as a browser does, which sends no server what is behind the #."""
    path, token = link_in(mail, "/mail/confirm").split("#")
    return await go(person, path, token=token)


async def kept(person, server):
    """What the store has of this person."""
    owner = (await person.get("/api/me"))["id"]
    return list(await server.app[SITE].store.addresses.of(owner))


@pytest.fixture
async def member(anna):
    await register(anna, "Anna")
    return anna


async def test_an_address_counts_once_its_link_was_followed_and_the_button_pressed(member, ben, post_office, server):
    assert await add(member, "anna@EXAMPLE.org") == "/account?mailed"
    (mail,) = await post_office.delivered(1)
    assert (mail["To"], mail["From"]) == (BOX, "Fairyhouse <games@chess.example.org>")
    assert "Anna would like to get email from" in text_of(mail)
    path, token = link_in(mail, "/mail/confirm").split("#")
    for opened in (path, f"{path}?token={token}"):
        assert (await ben.http.get(opened)).status == 200
    (address,) = await kept(member, server)
    assert not address.in_effect
    assert WAITING in await page_of(member)
    # On another device, where nobody is signed in.
    status, page = await go(ben, path, token=f" {token}\n")
    assert (status, "The address is confirmed." in page) == (200, True)
    (address,) = await kept(member, server)
    assert address.in_effect
    assert CONFIRMED in await page_of(member)
    assert token not in path


# fmt: off
NO_ADDRESSES = (
    "", "anna", "anna@", "@example.org", "anna@localhost", "anna@127.0.0.1", "a b@example.org", "ána@example.org",
    "anna@example.org\nBcc: b@c.de", '"a\r\n"@example.org', "anna@example.org, ben@example.org", "a..b@example.org",
    "Anna <anna@example.org>", "anna@exa\u2028mple.org", "anna@-x.org", f"{'a' * 65}@example.org",
)
# fmt: on


@pytest.mark.parametrize("text", NO_ADDRESSES)
async def test_what_is_no_address_is_refused_and_nothing_kept(member, server, at_rest, post_office, text):
    status, page = await add(member, text)
    assert (status, "It should look like name@example.org" in page) == (400, True)
    assert (await at_rest(), await kept(member, server), post_office.mails) == (0, [], [])


async def test_a_domain_in_another_script_is_written_in_ascii(member, server):
    await add(member, "anna@Bücher.example")
    assert [one.address for one in await kept(member, server)] == ["anna@xn--bcher-kva.example"]


async def test_only_who_knows_the_password_adds_an_address(member, server):
    status, _ = await add(member, password="wrong password")
    assert (status, await kept(member, server)) == (403, [])


async def test_guests_and_strangers_are_sent_to_sign_in(anna):
    for path in ("/account/mail", "/account/mail/wishes", "/account/mail/remove"):
        assert await go(anna, path, address=BOX) == "/sign-in?next=/account"


async def test_a_link_confirms_the_address_it_was_sent_to_and_only_while_it_is_there(member, post_office, server):
    await add(member)
    (first,) = await post_office.delivered(1)
    await go(member, "/account/mail/remove", address=BOX)
    status, page = await confirm(member, first)
    assert (status, "This link no longer works" in page) == (410, True)
    await add(member, "other@example.org")
    assert (await confirm(member, first))[0] == 410
    assert [one.in_effect for one in await kept(member, server)] == [False]


async def test_a_link_is_good_for_a_day(member, post_office, server, clock):
    await add(member)
    (mail,) = await post_office.delivered(1)
    clock.turn(DAY_MS)
    assert (await confirm(member, mail))[0] == 410
    assert [one.in_effect for one in await kept(member, server)] == [False]


FORGERIES = {
    "another signature": lambda token: token[:-1] + ("A" if token[-1] != "A" else "B"),
    "another content": lambda token: "x" + token,
    "no signature": lambda token: token.split(".")[0] + ".",
    "no token": lambda _: "é.é",
}


@pytest.mark.parametrize("spoil", FORGERIES.values(), ids=FORGERIES)
async def test_a_forged_link_confirms_nothing(member, post_office, server, spoil):
    await add(member)
    (mail,) = await post_office.delivered(1)
    path, token = link_in(mail, "/mail/confirm").split("#")
    assert (await go(member, path, token=spoil(token)))[0] == 410
    assert [one.in_effect for one in await kept(member, server)] == [False]


async def test_adding_an_address_again_sends_another_link_and_a_confirmed_one_none(member, post_office, at_rest):
    await add(member)
    await add(member)
    _, second = await post_office.delivered(2)
    await confirm(member, second)
    assert await add(member, turns="on") == "/account"
    assert (await at_rest(), len(post_office.mails)) == (0, 2)


@pytest.mark.row("M6")
async def test_nobody_can_be_flooded_with_links(member, ben, post_office, clock, at_rest):
    for _ in range(4):
        assert await add(member) == "/account?mailed"
    assert (await add(member))[0] == 429
    await register(ben, "Ben")
    assert (await add(ben, "Anna@example.org"))[0] == 429
    for number in range(4):
        await add(member, f"a{number}@example.org")
    await at_rest()
    assert len(await post_office.delivered(8)) == 8


async def test_one_account_sends_ten_links_a_day(member, clock):
    sent = []
    for number in range(12):
        sent.append(await add(member, f"a{number}@example.org"))
        await go(member, "/account/mail/remove", address=f"a{number}@example.org")
        # So that the limit of passwords tried is not what stops it.
        clock.turn(60_000)
    assert [answer if isinstance(answer, str) else answer[0] for answer in sent] == ["/account?mailed"] * 10 + [429] * 2


async def test_an_account_has_at_most_five_addresses(member, server):
    for number in range(6):
        await add(member, f"a{number}@example.org")
    assert len(await kept(member, server)) == 5


async def test_people_choose_what_to_be_told_of_at_each_address(member, server):
    await add(member)
    assert [one.wishes for one in await kept(member, server)] == [()]
    await go(member, "/account/mail/wishes", address=BOX, turns="on")
    assert [one.wishes for one in await kept(member, server)] == [("turn:at_once",)]
    await go(member, "/account/mail/wishes", address="somebody@example.org", turns="on")
    await go(member, "/account/mail/wishes", address=BOX)
    assert [one.wishes for one in await kept(member, server)] == [()]


async def test_nobody_else_sees_or_changes_an_address(member, ben, post_office, server):
    await add(member, turns="on")
    await post_office.delivered(1)
    await register(ben, "Ben")
    await go(ben, "/account/mail/remove", address=BOX)
    await go(ben, "/account/mail/wishes", address=BOX)
    assert [one.wishes for one in await kept(member, server)] == [("turn:at_once",)]
    for path in ("/account", "/@/Anna", "/players?name=anna", "/account/export"):
        assert BOX not in await page_of(ben, path)
    assert BOX in await page_of(member, "/account/export")


async def test_addresses_and_waiting_mail_of_a_deleted_account_are_gone(member, server, post_office):
    post_office.answers[BOX] = "450 come back later"
    await add(member)
    owner = (await member.get("/api/me"))["id"]
    assert await go(member, "/account/delete", password=PASSWORD) == "/sign-in?deleted"
    store = server.app[SITE].store
    assert (list(await store.addresses.of(owner)), await store.outbox.waiting()) == ([], 0)


async def test_an_address_that_the_mail_server_refuses_is_off_until_it_is_confirmed_again(member, server, post_office):
    await add(member)
    (mail,) = await post_office.delivered(1)
    await confirm(member, mail)
    (address,) = await kept(member, server)
    store = server.app[SITE].store
    await store.addresses.change(address.owner, address.address, lambda one: replace(one, refused=one.added))
    assert "to this address has been undeliverable since" in await page_of(member)
    await add(member)
    _, again = await post_office.delivered(2)
    await confirm(member, again)
    assert CONFIRMED in await page_of(member)


@pytest.mark.usefixtures("unlimited")
async def test_a_host_corrects_the_address_of_somebody_who_cannot_sign_in(member, ben, post_office, server):
    """The wrong one goes at once; the right one counts once its owner has followed the link."""
    site = server.app[SITE]
    await add(member)
    await post_office.delivered(1)
    await seat_at_desk(site, ben, "Ben")
    anna = (await member.get("/api/me"))["id"]
    form = {"id": "one", "person": anna, "password": PASSWORD, "old": BOX}
    path = "/host/people/data/address"
    status, page = await go(ben, path, **form, new="no address")
    assert (status, "It should look like name@example.org" in page) == (400, True)
    assert [one.address for one in await kept(member, server)] == [BOX]
    assert await go(ben, path, **form, new="anna@right.example") == f"/host/people/data?person={anna}&done=address"
    (address,) = await kept(member, server)
    assert (address.address, address.in_effect) == ("anna@right.example", False)
    mail = (await post_office.delivered(2))[1]
    assert mail["To"] == "anna@right.example"
    await confirm(ben, mail)
    (address,) = await kept(member, server)
    assert address.in_effect
    (line,) = [one for one in await site.store.desk.log(site.now(), 9) if one.deed == "corrected"]
    assert (line.by.name, line.whom.name, line.detail) == ("Ben", "Anna", ""), "no address stands in the log"
