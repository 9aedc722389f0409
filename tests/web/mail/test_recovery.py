"""A new password by mail: for whoever has the mailbox, once, and without telling anybody which accounts there are."""

import asyncio

import pytest

from server.web.accounts.mail_addresses import RECOVER_WITHIN_MS
from server.web.site import SITE
from tests.support.mail.mail_server import link_in
from tests.support.web.accounts import PASSWORD, go, page_of, register, sign_in
from tests.support.web.tokens import TOKEN

BOX = "anna@example.org"
NEW = "another long one"


@pytest.fixture
async def member(anna, post_office):
    """Anna, who has a confirmed address."""
    await register(anna, "Anna")
    await go(anna, "/account/mail", address=BOX, password=PASSWORD)
    (mail,) = await post_office.delivered(1)
    path, token = link_in(mail, "/mail/confirm").split("#")
    await go(anna, path, token=token)
    post_office.mails.clear()
    post_office.envelopes.clear()
    return anna


async def asked(person, post_office, name="Anna"):
    """The token in the mail."""
    await go(person, "/forgotten", name=name)
    (mail,) = await post_office.delivered(1)
    assert mail["To"] == BOX
    return link_in(mail, "/mail/password").split("#")[1]


async def test_whoever_has_the_mailbox_chooses_a_password_and_all_sessions_end(member, ben, post_office):
    token = await asked(ben, post_office, "anna")
    assert (await ben.http.get("/mail/password")).status == 200
    assert await go(ben, "/mail/password", token=token, new=NEW) == "/sign-in?recovered"
    assert await page_of(member) == "/sign-in?next=/account"
    assert await sign_in(ben, "Anna", PASSWORD) == 403
    assert await sign_in(ben, "Anna", NEW) == "/"


async def test_a_token_that_somebody_has_planted_ends_with_the_old_password(member, ben, post_office):
    made = (await go(member, "/account/tokens", name="planted", bot_play="yes"))[1]
    asking = {"headers": {"Authorization": f"Bearer {TOKEN.search(made)[0]}"}}
    async with ben.http.get("/api/account", **asking) as answer:
        assert answer.status == 200
    await go(ben, "/mail/password", token=await asked(ben, post_office), new=NEW)
    async with ben.http.get("/api/account", **asking) as answer:
        assert answer.status == 401


async def test_a_link_works_once(member, ben, post_office):
    token = await asked(ben, post_office)
    await go(ben, "/mail/password", token=token, new=NEW)
    status, page = await go(ben, "/mail/password", token=token, new="a third long one")
    assert (status, "This link no longer works" in page) == (410, True)
    assert await sign_in(ben, "Anna", NEW) == "/"


async def test_a_link_dies_when_the_password_is_changed_in_another_way(member, ben, post_office):
    token = await asked(ben, post_office)
    await go(member, "/account/password", old=PASSWORD, new=NEW)
    assert (await go(ben, "/mail/password", token=token, new="a third long one"))[0] == 410


async def test_a_link_is_good_for_an_hour(member, ben, post_office, clock):
    token = await asked(ben, post_office)
    clock.turn(RECOVER_WITHIN_MS)
    assert (await go(ben, "/mail/password", token=token, new=NEW))[0] == 410


async def test_the_link_that_confirms_an_address_chooses_no_password(anna, post_office):
    await register(anna, "Anna")
    await go(anna, "/account/mail", address=BOX, password=PASSWORD)
    (mail,) = await post_office.delivered(1)
    token = link_in(mail, "/mail/confirm").split("#")[1]
    assert (await go(anna, "/mail/password", token=token, new=NEW))[0] == 410


async def test_a_bad_password_is_refused_and_the_link_still_works(member, ben, post_office):
    token = await asked(ben, post_office)
    status, page = await go(ben, "/mail/password", token=token, new="password")
    assert (status, "one of the first that anybody would try" in page) == (400, True)
    assert await go(ben, "/mail/password", token=token, new=NEW) == "/sign-in?recovered"


async def test_the_answer_is_the_same_whether_or_not_there_is_such_an_account(member, ben, carla, post_office, at_rest):
    await register(carla, "Carla")
    answers = [await go(ben, "/forgotten", name=name) for name in ("Anna", "Carla", "nobody", "")]
    assert len(set(answers)) == 1
    assert answers[0][0] == 200
    await at_rest()
    (mail,) = await post_office.delivered(1)
    assert mail["To"] == BOX


async def test_an_unconfirmed_address_recovers_nothing(anna, ben, post_office, at_rest, server):
    await register(anna, "Anna")
    await go(anna, "/account/mail", address=BOX, password=PASSWORD)
    await post_office.delivered(1)
    await go(ben, "/forgotten", name="Anna")
    await at_rest()
    assert (len(post_office.mails), await server.app[SITE].store.outbox.waiting()) == (1, 0)


async def test_nobody_is_flooded_with_links(member, ben, post_office, clock, at_rest, server):
    post_office.hold = asyncio.Event()
    for _ in range(8):
        await go(ben, "/forgotten", name="Anna")
    await at_rest()
    assert await server.app[SITE].store.outbox.waiting() == 4
    for _ in range(12):
        await go(ben, "/forgotten", name="nobody")
    assert (await go(ben, "/forgotten", name="nobody"))[0] == 429
