"""Who a browser is: when it becomes somebody, what its cookie allows, and how that ends."""

import re
import secrets

import pytest

from server.games.clocks.time_control import DAY_MS
from server.realtime.runtime.ids import digest
from server.settings import Settings
from server.web import session
from server.web.budgets.buckets import RateLimit
from server.web.session import ABSOLUTE, IDLE, Sessions, guest_name
from server.web.site import SITE

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{1,19}")


async def cookie_of(person, path="/api/guest"):
    async with person.http.post(path, json={}) as answer:
        assert answer.status == 200
        return next(iter(answer.cookies.values()))


async def test_the_cookie_of_a_plain_site(anna):
    cookie = await cookie_of(anna)
    assert cookie.key == "sid"
    assert len(cookie.value) == 43
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["path"] == "/"
    assert cookie["max-age"] == "2592000"
    assert not cookie["domain"]
    assert not cookie["secure"]


async def test_the_store_holds_only_the_digest(anna, server):
    token = (await cookie_of(anna)).value
    store = server.app[SITE].store
    assert await store.session(token) is None
    assert await store.session(digest(token)) is not None


async def test_a_guest_stays_the_same_and_has_a_pronounceable_name(anna):
    first = await anna.post("/api/guest")
    assert NAME.fullmatch(first["name"])
    assert await anna.post("/api/guest") == first
    assert await anna.get("/api/me") == first


async def test_forged_cookies_identify_nobody(server, anna):
    await anna.post("/api/guest")
    anna.http.cookie_jar.clear()
    for forged in [secrets.token_urlsafe(32) for _ in range(200)] + ["", "x", "0" * 43, "\u00e9" * 20, "a" * 4000]:
        async with anna.http.get("/api/me", headers={"Cookie": f"sid={forged}"}) as answer:
            assert await answer.json() == {}


@pytest.mark.row("A3")
async def test_a_session_that_was_not_used_for_a_month_is_over(anna, clock):
    await anna.post("/api/guest")
    clock.turn(IDLE - DAY_MS)
    assert await anna.get("/api/me")
    clock.turn(IDLE + DAY_MS)
    assert await anna.get("/api/me") == {}


async def test_reading_renews_the_cookie_but_not_each_time(anna, clock):
    await anna.post("/api/guest")
    clock.turn(2 * DAY_MS)
    ages = []
    for _ in range(2):
        async with anna.http.get("/protocol") as answer:
            ages.append([cookie["max-age"] for cookie in answer.cookies.values()])
    assert ages == [["2592000"], []]


async def test_a_session_in_use_lasts_until_its_absolute_age(anna, clock):
    me = await anna.post("/api/guest")
    end = clock() + ABSOLUTE
    while clock() + 20 * DAY_MS < end:
        clock.turn(20 * DAY_MS)
        assert await anna.post("/api/guest") == me
    clock.turn(21 * DAY_MS)
    assert await anna.post("/api/guest") != me


@pytest.mark.row("A17")
async def test_new_guests_are_limited_by_address(visitor, server):
    server.app[SITE].limits.guests = RateLimit(3, 60)
    for _ in range(3):
        await (await visitor()).post("/api/guest")
    crowd = await visitor()
    assert (await crowd.post("/api/guest", 429))["code"] == "rate"
    assert await crowd.get("/api/me") == {}


async def test_loading_pages_creates_no_guest(anna, server, monkeypatch):
    async def add_guest(*_):
        raise AssertionError("a page load made a guest")

    monkeypatch.setattr(server.app[SITE].store, "add_guest", add_guest)
    for path in ("/", "/protocol", "/api/me", "/rules/chess"):
        async with anna.http.get(path) as answer:
            assert answer.status == 200


def test_an_https_site_has_a_host_cookie(tmp_path):
    settings = Settings(public_url="https://chess.example.org", data_dir=tmp_path)
    assert Sessions(settings, *[None] * 6).cookie == "__Host-sid"
    assert settings.secure


def test_names_fit_everywhere():
    names = {guest_name() for _ in range(2000)}
    assert all(NAME.fullmatch(name) for name in names)
    assert len(names) > 1900
    assert len(secrets.token_urlsafe(32)) == session.TOKEN_LENGTH
