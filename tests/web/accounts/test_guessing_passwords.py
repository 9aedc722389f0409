"""Guessing passwords is slow, and neither locks the owner out nor keeps the server busy."""

import asyncio

import pytest
from aiohttp.test_utils import TestServer

from server.app import build_app
from server.web.accounts import accounts, credentials
from server.web.accounts.accounts import (
    ACCOUNTS,
    BROWSER,
    BROWSER_KEPT_MS,
    MOST_NETWORKS,
    browser_token,
    network_mark,
    owner_of_browser,
    with_network,
)
from server.web.assets import find_assets
from server.web.budgets.heavy import FairQueue
from server.web.site import SITE
from tests.support.web.accounts import register, sign_in, sign_out
from tests.support.web.origins import ORIGIN
from tests.support.web.people import Person


@pytest.mark.row("A5")
async def test_guessing_one_password_is_slow_and_the_answer_says_when_to_come_again(anna, visitor, server, monkeypatch):
    await register(anna, "Anna")
    await sign_out(anna)
    compared = []
    real = credentials.matches
    monkeypatch.setattr(credentials, "matches", lambda *each: (compared.append(1), real(*each))[1])
    guesser = await visitor()
    for _ in range(40):
        fields = {"name": "aNNa", "password": "guess guess"}
        async with guesser.http.post("/sign-in", data=fields, allow_redirects=False) as answer:
            last = answer
    assert len(compared) == 10
    assert last.status == 429
    assert 0 < int(last.headers["Retry-After"]) <= 60
    assert await sign_in(guesser, "Anna") == 429, "the right password neither, from where nobody has signed in before"


def guessed_from_everywhere(server):
    """Many addresses try passwords for Anna's name, until nobody from a new one may."""
    limits, now = server.app[SITE].limits, server.app[SITE].now()
    limits.sign_ins_of_strangers.whole["anna"] = now + limits.sign_ins_of_strangers.period_ms + 3_600_000


@pytest.mark.row("A5")
async def test_the_owner_gets_in_from_a_known_address_while_others_guess(anna, server):
    await register(anna, "Anna")
    await sign_out(anna)
    guessed_from_everywhere(server)
    assert await sign_in(anna, "Anna") == "/"


@pytest.mark.row("A5")
async def test_the_owner_gets_in_from_a_new_network_by_a_browser_that_knows_them_and_nobody_else_does(
    anna, ben, server, monkeypatch
):
    """Beside a flood; and the cookie is no session, nor good for another account, nor made up."""
    for person, name in ((anna, "Anna"), (ben, "Ben")):
        await register(person, name)
        await sign_out(person)
    guessed_from_everywhere(server)
    monkeypatch.setattr(accounts, "address_key", lambda *_: "198.51.100.1")
    limit = server.app[SITE].limits.sign_ins
    while not limit.take("anna 198.51.100.1", server.app[SITE].now()):
        pass
    assert await sign_in(ben, "Anna") == 429
    (kept,) = (one for one in anna.http.cookie_jar if one.key == BROWSER)
    assert (kept["path"], kept["samesite"], kept["httponly"]) == ("/sign-in", "Strict", True)
    ben.http.cookie_jar.update_cookies({BROWSER: kept.value[:-1] + "-"}, server.make_url("/sign-in"))
    assert await sign_in(ben, "Anna") == 429
    assert "name" not in await anna.get("/api/me")
    assert await sign_in(anna, "Anna", "guess guess") == 403
    assert await sign_in(anna, "Anna") == "/"


def test_a_browser_is_known_for_half_a_year():
    token = browser_token(b"key", "anna", 0)
    assert owner_of_browser(b"key", token, BROWSER_KEPT_MS - 1) == "anna"
    assert owner_of_browser(b"key", token, BROWSER_KEPT_MS) == owner_of_browser(b"other", token, 0) == ""


@pytest.mark.row("A5")
async def test_known_addresses_are_known_after_a_restart(anna, server, settings):
    await register(anna, "Anna")
    await sign_out(anna)
    await server.close()
    again = TestServer(build_app(settings, find_assets()))
    await again.start_server()
    guessed_from_everywhere(again)
    async with Person(again.make_url("/"), ORIGIN) as owner:
        assert await sign_in(owner, "Anna") == "/"
    await again.close()


@pytest.mark.row("A5")
async def test_guesses_from_one_address_do_not_lock_out_another(anna, ben, server, monkeypatch):
    server.app[SITE].limits.sign_ins.shared = 1_000
    await register(anna, "Anna")
    await sign_out(anna)
    monkeypatch.setattr(accounts, "address_key", lambda *_: "192.0.2.1")
    for _ in range(server.app[SITE].limits.sign_ins_of_strangers.amount + 20):
        last = await sign_in(ben, "Anna", "guess guess")
    assert last == 429
    monkeypatch.setattr(accounts, "address_key", lambda *_: "198.51.100.1")
    assert await sign_in(anna, "Anna") == "/"


def test_only_the_latest_places_are_kept_and_each_once():
    places = ()
    for number in (*range(20), 15):
        places = with_network(places, network_mark("anna", f"192.0.2.{number}"))
    assert len(places) == len(set(places)) == MOST_NETWORKS
    assert places[-1] == network_mark("anna", "192.0.2.15")


def test_a_place_tells_neither_the_network_nor_who_else_is_there():
    assert network_mark("anna", "192.0.2.1") != network_mark("ben", "192.0.2.1")
    marks = [network_mark("anna", f"10.0.{number >> 8}.{number & 255}") for number in range(65_536)]
    assert len(set(marks)) < 50_000, "many networks have the same mark"


@pytest.mark.row("A5")
async def test_one_address_tries_many_names_slowly(ben, server):
    server.app[SITE].limits.sign_ins.shared = 5
    answers = [await sign_in(ben, f"name{number}") for number in range(8)]
    assert answers == [403] * 5 + [429] * 3


@pytest.mark.row("A5")
async def test_too_many_sign_ins_at_once_are_told_to_wait_and_are_no_failed_ones(visitor, server, caplog):
    server.app[ACCOUNTS].hashing._queue = FairQueue(1, 0)
    people = [await visitor() for _ in range(12)]
    answers = await asyncio.gather(*(sign_in(one, f"nobody{number}") for number, one in enumerate(people)))
    assert set(answers) == {403, 503}
    refused = [one.args[1] for one in caplog.records if one.msg.startswith("sign-in refused")]
    assert refused == ["wrong_password"] * answers.count(403)
