"""Who guesses passwords is slow, and keeps neither the owner out nor the server busy."""

import asyncio

import pytest

from server.web.buckets import RateLimit
from server.web.people import hashing
from server.web.people.accounts import ACCOUNTS
from server.web.site import SITE
from tests.web.members import register, sign_in, sign_out

pytestmark = pytest.mark.usefixtures("cheap_hashes")


@pytest.mark.row("A5")
async def test_guessing_one_password_is_slow_and_the_answer_says_when_to_come_again(anna, visitor, server, monkeypatch):
    await register(anna, "Anna")
    await sign_out(anna)
    compared = []
    real = hashing.matches
    monkeypatch.setattr(hashing, "matches", lambda *each: (compared.append(1), real(*each))[1])
    guesser = await visitor()
    server.app[ACCOUNTS].known.clear()
    for _ in range(40):
        fields = {"name": "aNNa", "password": "guess guess"}
        async with guesser.http.post("/sign-in", data=fields, allow_redirects=False) as answer:
            last = answer
    assert len(compared) == 10
    assert last.status == 429
    assert 0 < int(last.headers["Retry-After"]) <= 60
    assert await sign_in(guesser, "Anna") == 429, "the right password neither, from where nobody has signed in before"


@pytest.mark.row("A5")
async def test_the_owner_gets_in_from_his_own_address_while_others_guess(anna, visitor, server):
    await register(anna, "Anna")
    await sign_out(anna)
    await sign_in(anna, "Anna")
    await sign_out(anna)
    limits = server.app[SITE].limits
    while not limits.sign_ins.take("anna", server.app[SITE].now() / 1000):
        pass
    assert await sign_in(anna, "Anna") == "/"


@pytest.mark.row("A5")
async def test_one_address_tries_many_names_slowly(ben, server):
    server.app[SITE].limits.sign_ins_by_address = RateLimit(5, 600)
    answers = [await sign_in(ben, f"name{number}") for number in range(8)]
    assert answers == [403] * 5 + [429] * 3


@pytest.mark.row("A5")
async def test_too_many_at_once_are_told_so(visitor, monkeypatch):
    monkeypatch.setattr(hashing, "MOST_WAITING", 0)
    people = [await visitor() for _ in range(12)]
    answers = await asyncio.gather(*(sign_in(one, f"nobody{number}") for number, one in enumerate(people)))
    assert set(answers) == {403, 503}
