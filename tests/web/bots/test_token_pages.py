"""The page of personal tokens: a token is shown once, kept as a hash, bounded in number, and gone when it is to be."""

import pytest

from server.games.people import MAX_TOKENS, Scope
from server.realtime.runtime.ids import digest
from server.web.accounts.accounts import ACCOUNTS
from server.web.budgets.buckets import RateLimit
from server.web.site import SITE
from tests.support.web.accounts import PASSWORD, go, page_of, register
from tests.support.web.tokens import TOKEN


async def make(person, **fields):
    """The new token, and the page that shows it."""
    status, page = await go(person, "/account/tokens", **{"name": "my bot", "bot_play": "yes", **fields})
    assert status == 200, page
    return TOKEN.search(page)[0], page


async def tokens_of(server, person):
    owner = (await person.get("/api/me"))["id"]
    return await server.app[SITE].store.tokens.of(owner)


async def test_a_token_is_shown_once_and_kept_as_its_hash(server, anna):
    await register(anna, "Anna")
    token, page = await make(anna, name="my <b>bot</b>", read="yes")
    assert "my &lt;b&gt;bot&lt;/b&gt;" in page
    assert token not in await page_of(anna, "/account/tokens")
    (kept,) = await tokens_of(server, anna)
    assert (kept.hashed, kept.scopes) == (digest(token), {Scope.BOT_PLAY, Scope.CHALLENGE_READ})
    export = await anna.get("/account/export")
    assert [one["name"] for one in export["tokens"]] == ["my <b>bot</b>"]
    assert token not in str(export)
    assert kept.hashed not in str(export)


async def test_only_somebody_with_an_account_has_tokens(anna):
    await anna.post("/api/guest")
    for path in ("/account/tokens", "/account/tokens/revoke"):
        assert await go(anna, path, name="mine", bot_play="yes") == "/sign-in?next=/account/tokens"
    assert await page_of(anna, "/account/tokens") == "/sign-in?next=/account/tokens"


@pytest.mark.parametrize(
    ("fields", "why"), [({"name": " "}, "Give the token a name"), ({"bot_play": ""}, "Choose at least one thing")]
)
async def test_a_token_has_a_name_and_is_good_for_something(server, anna, fields, why):
    await register(anna, "Anna")
    status, page = await go(anna, "/account/tokens", **{"name": "my bot", "bot_play": "yes", **fields})
    assert status == 403
    assert why in page
    assert await tokens_of(server, anna) == []


async def test_nobody_has_more_tokens_than_they_can_look_after(server, anna):
    await register(anna, "Anna")
    server.app[SITE].limits.tokens = RateLimit(10**6, 1)
    for number in range(MAX_TOKENS):
        await make(anna, name=f"bot {number}")
    assert (await go(anna, "/account/tokens", name="one more", bot_play="yes"))[0] == 403
    assert len(await tokens_of(server, anna)) == MAX_TOKENS


async def test_making_ever_more_tokens_is_put_off(server, anna):
    await register(anna, "Anna")
    server.app[SITE].limits.tokens = RateLimit(1, 60)
    await make(anna)
    assert (await go(anna, "/account/tokens", name="one more", bot_play="yes"))[0] == 429


async def test_a_token_is_revoked_by_its_owner_and_nobody_else(server, anna, ben):
    await register(anna, "Anna")
    await register(ben, "Ben")
    token, _ = await make(anna)
    assert await go(ben, "/account/tokens/revoke", token=digest(token)) == "/account/tokens?revoked"
    assert len(await tokens_of(server, anna)) == 1
    assert await go(anna, "/account/tokens/revoke", token=digest(token)) == "/account/tokens?revoked"
    assert await tokens_of(server, anna) == []


async def test_tokens_go_with_the_account(server, anna):
    await register(anna, "Anna")
    token, _ = await make(anna)
    await go(anna, "/account/delete", password=PASSWORD)
    await server.app[ACCOUNTS].merges.carry_out_all()
    assert await server.app[SITE].store.tokens.find(digest(token)) is None
