"""Signing out, here and everywhere, and who cannot be made to."""

import re

import pytest

from server.realtime.runtime.ids import digest
from server.web.websocket.open_sockets import SESSION_ENDED
from tests.support.web.accounts import PASSWORD, go, page_of, register, sign_in, sign_out, token_of

SESSION = re.compile('name="session" value="([0-9a-f]{64})"')


async def test_signing_out_ends_this_browser_alone(anna, ben):
    await register(anna, "Anna")
    await sign_in(ben, "Anna")
    game = await ben.challenge()
    async with ben.follow(game) as socket:
        assert await sign_out(ben) == "/"
        assert await socket.closing() == SESSION_ENDED
    assert await ben.get("/api/me") == {}
    assert (await anna.get("/api/me"))["name"] == "Anna"
    async with anna.follow(game) as socket:
        assert (await socket.next())["you"] == "white", "the seat is the person's, not the browser's"


async def test_a_guest_cannot_lose_themselves_by_signing_out(anna):
    guest = await anna.post("/api/guest")
    assert await sign_out(anna) == "/"
    assert await anna.get("/api/me") == guest


async def test_signing_out_everywhere_ends_every_browser(anna, ben):
    await register(anna, "Anna")
    await sign_in(ben, "Anna")
    async with ben.follow(await ben.challenge()) as socket:
        assert await go(anna, "/account/sign-out-everywhere") == "/sign-in"
        assert await socket.closing() == SESSION_ENDED
    assert await anna.get("/api/me") == await ben.get("/api/me") == {}


async def test_one_browser_is_signed_out_at_once_from_another(anna, ben):
    await register(anna, "Anna")
    await sign_in(ben, "Anna")
    (other,) = SESSION.findall(await page_of(anna))
    assert other == digest(token_of(ben))
    async with ben.follow(await ben.challenge()) as socket:
        assert await go(anna, "/account/sessions/end", session=other) == "/account?ended#sessions-title"
        assert await socket.closing() == SESSION_ENDED
    assert await ben.get("/api/me") == {}
    assert (await anna.get("/api/me"))["name"] == "Anna"
    assert SESSION.findall(await page_of(anna)) == []


async def test_nobody_ends_a_session_of_somebody_else(anna, ben):
    await register(anna, "Anna")
    await register(ben, "Ben")
    assert await go(anna, "/account/sessions/end", session=digest(token_of(ben))) == "/account?ended#sessions-title"
    assert (await ben.get("/api/me"))["name"] == "Ben"


async def test_ending_ones_own_session_is_signing_out(anna):
    await register(anna, "Anna")
    assert await go(anna, "/account/sessions/end", session=digest(token_of(anna))) == "/sign-in"
    assert await anna.get("/api/me") == {}


PATHS = [
    *("/register", "/sign-in", "/sign-out", "/account/password", "/account/delete", "/account/sign-out-everywhere"),
    "/account/sessions/end",
]


@pytest.mark.parametrize("path", PATHS)
async def test_other_sites_cannot_send_these_forms(server, visitor, anna, path):
    await register(anna, "Anna")
    headers = {"Origin": "https://evil.example"}
    fields = {"name": "Anna", "password": PASSWORD, "old": PASSWORD, "new": "another good one"}
    async with anna.http.post(path, data=fields, headers=headers, allow_redirects=False) as answer:
        assert answer.status == 403
    assert (await anna.get("/api/me"))["name"] == "Anna"


@pytest.mark.parametrize("path", PATHS[3:])
async def test_without_an_account_these_lead_to_the_sign_in(anna, path):
    await anna.post("/api/guest")
    assert await go(anna, path, password="x", new="y") == "/sign-in?next=/account"
