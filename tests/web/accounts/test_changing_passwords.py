"""A new password: chosen by its owner, or after the host let them in."""

import pytest

from server.realtime.runtime.ids import digest
from server.storage.tables.accounts import PasswordChanged
from server.web.accounts import accounts
from server.web.accounts.accounts import ACCOUNTS
from server.web.site import SITE
from tests.support.bots.berserk_client import with_token
from tests.support.web.accounts import PASSWORD, go, page_of, register, sign_in, token_of


async def test_a_changed_password_ends_the_other_browsers_and_changes_this_ones_token(anna, ben, visitor):
    await register(anna, "Anna")
    await sign_in(ben, "Anna")
    before = token_of(anna)
    status, text = await go(anna, "/account/password", old="not this one", new="another good one")
    assert status == 403
    assert "This is not your current password." in text
    assert await go(anna, "/account/password", old=PASSWORD, new="another good one") == "/account?changed"
    assert "Your password has been changed." in await page_of(anna, "/account?changed")
    assert token_of(anna) != before
    assert (await anna.get("/api/me"))["name"] == "Anna"
    assert await ben.get("/api/me") == {}
    stranger = await visitor()
    assert await sign_in(stranger, "Anna") == 403
    assert await sign_in(stranger, "Anna", "another good one") == "/"


async def test_a_changed_password_ends_the_tokens(server, anna):
    token = await with_token(anna, "Anna")
    tokens = server.app[SITE].store.tokens
    await go(anna, "/account/password", old="not this one", new="another good one")
    assert await tokens.find(digest(token))
    await go(anna, "/account/password", old=PASSWORD, new="another good one")
    assert await tokens.find(digest(token)) is None


@pytest.mark.parametrize("step", ["set_password", "sign_in", "delete"])
async def test_a_player_whose_account_is_deleted_meanwhile_reads_that_and_not_of_a_wrong_password(
    anna, server, monkeypatch, step
):
    await register(anna, "Anna")
    store = server.app[SITE].store
    do = getattr(store.accounts, step)

    async def deleted_first(account, *asked):
        await delete(await store.accounts.find("anna"), server.app[SITE].now() + 1)
        if step == "delete":
            # The name is free again, and is somebody else's.
            raise PasswordChanged
        return await do(account, *asked)

    delete = store.accounts.delete
    monkeypatch.setattr(store.accounts, step, deleted_first)
    if step == "delete":
        status, text = await go(anna, "/account/delete", password=PASSWORD)
    else:
        status, text = await go(anna, "/account/password", old=PASSWORD, new="another good one")
    assert status == 403
    assert "This account has been deleted." in text
    assert "current password" not in text


async def test_a_new_password_must_be_good_too(anna):
    await register(anna, "Anna")
    for new in ("short", "anna1234"[:7], "password"):
        status, _ = await go(anna, "/account/password", old=PASSWORD, new=new)
        assert status == 400
    assert (await sign_in(anna, "Anna")) in ("/", "/account")


async def test_a_player_let_in_by_the_host_chooses_a_password_without_the_old_one(anna, server, visitor):
    await register(anna, "Anna")
    site = server.app[SITE]
    hashed = await server.app[ACCOUNTS].hashing.hash("told on the phone")
    await site.store.accounts.reset_password("anna", hashed, site.now() + accounts.ONCE)
    assert await sign_in(anna, "Anna", "told on the phone") == "/account"
    assert await go(anna, "/account/password", new="my very own one") == "/account?changed"
    assert await sign_in(await visitor(), "Anna", "my very own one") == "/"


async def test_a_password_of_the_host_is_good_for_a_day(anna, server):
    await register(anna, "Anna")
    site = server.app[SITE]
    hashed = await server.app[ACCOUNTS].hashing.hash("told on the phone")
    await site.store.accounts.reset_password("anna", hashed, site.now() - 1)
    assert await sign_in(anna, "Anna", "told on the phone") == 403
