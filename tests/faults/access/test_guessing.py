"""Guessing passwords, names, secrets and addresses is hopeless or slow, and hurts nobody else (A6-A9, A16)."""

import asyncio
import random
import resource
import secrets
import time
from pathlib import Path

import pytest
from aiohttp.test_utils import make_mocked_request
from argon2 import PasswordHasher, extract_parameters
from multidict import CIMultiDict

from server.games.errors import WrongInvitation
from server.games.player import Player
from server.realtime.runtime.ids import digest
from server.settings import Settings
from server.web.budgets.buckets import RateLimit
from server.web.budgets.callers import address_key
from server.web.site import SITE
from tests.support.web.accounts import go, register
from tests.support.web.people import FOOLS_MATE, play


@pytest.mark.row("A6")
@pytest.mark.usefixtures("unlimited")
async def test_refusing_a_name_that_exists_takes_no_longer(anna, ben, scale, seed, counted, monkeypatch):
    samples, took, compared = scale(400), {"Anna": [], "Anne": []}, {"Anna": [], "Anne": []}
    await register(anna, "Anna")
    order = list(took) * samples
    random.Random(f"{seed} A6").shuffle(order)
    verify = PasswordHasher.verify

    def watched(hasher, stored, password):
        compared[name].append(extract_parameters(stored))
        return verify(hasher, stored, password)

    monkeypatch.setattr(PasswordHasher, "verify", watched)
    for name in order:
        # The work of this process, not the time on the wall: others work on the same machine.
        begun = time.process_time()
        status, _ = await go(ben, "/sign-in", name=name, password="wrong password")
        took[name].append(time.process_time() - begun)
        assert status == 403
    assert compared["Anna"] == compared["Anne"], "the same number of comparisons, of the same cost"
    assert len(compared["Anna"]) == samples
    # The least, as what others do on the machine makes the same work cost more, and never less.
    known, unknown = map(min, took.values())
    assert abs(known - unknown) <= known / 4
    counted("samples of each", samples)


def near(rng, secret, game):
    """What somebody might try: at random, from the address, or from a secret that they have seen a part of."""
    at = rng.randrange(len(secret))
    other = "A" if secret[at] != "A" else "B"
    return rng.choice(
        [
            secrets.token_urlsafe(16),
            secret[:at] + other + secret[at + 1 :],
            secret[:-1],
            secret + other,
            secret.swapcase(),
            digest(secret),
            game,
            "",
        ]
    )


@pytest.mark.row("A7")
async def test_no_guess_opens_a_challenge(anna, ben, server, scale, seed, counted):
    rng, guesses, rounds = random.Random(f"{seed} A7"), scale(100_000), server.app[SITE].rounds
    made = await anna.challenge()
    game, secret, guesser = made["id"], made["secret"], Player("guesser", "Gus")
    assert len(secret) == 22, "128 bits"
    for _ in range(guesses):
        with pytest.raises(WrongInvitation):
            await rounds.join(game, near(rng, secret, game), guesser)
    assert (await ben.join(made))["color"] == "black"
    counted("guesses", guesses)


@pytest.mark.row("A7")
@pytest.mark.usefixtures("clock")
async def test_all_wrong_guesses_look_alike_and_are_counted(anna, ben, server, counted):
    made, other, answers, limit = await anna.challenge(), await anna.challenge(), set(), server.app[SITE].limits.join
    for number in range(limit.amount):
        secret = (secrets.token_urlsafe(16), other["secret"], made["secret"][::-1])[number % 3]
        async with ben.http.post(f"/api/games/{made['id']}/join", json={"secret": secret}) as answer:
            answers.add((answer.status, await answer.text()))
    assert len(answers) == 1
    assert next(iter(answers))[0] == 403
    await ben.post(f"/api/games/{made['id']}/join", 429, secret=made["secret"])
    counted("guesses", limit.amount)


@pytest.mark.row("A8")
async def test_a_school_behind_one_address_plays_undisturbed(visitor, scale, counted):
    people = [await visitor() for _ in range(40)]

    async def one_board(white, black):
        game = await white.challenge()
        await black.join(game)
        async with white.follow(game) as one, black.follow(game) as other:
            await play((one, other), FOOLS_MATE)
            assert (await one.until("over"))["ended"]["reason"] == "checkmate"

    rounds = scale(5)
    for _ in range(rounds):
        await asyncio.gather(*(one_board(*people[at : at + 2]) for at in range(0, 40, 2)))
    counted("people", len(people))
    counted("games", 20 * rounds)


ADDRESSES = (
    "127.0.0.1",
    "10.0.0.1",
    "198.51.100.7",
    "::1",
    "2001:db8::1",
    "unknown",
    "",
    "x" * 300,
    "1.2.3.4, 5.6.7.8",
)


def forwarding(rng, headers):
    """Headers that claim another address, in every way that some server believes."""
    claimed = f"{rng.randrange(256)}.{rng.randrange(256)}.0.1"
    names = ("X-Forwarded-For", "Forwarded", "X-Real-IP", "X-Client-IP", "True-Client-IP", "CF-Connecting-IP")
    for name in rng.sample(names, rng.randrange(1, 4)):
        headers.append((name, rng.choice([claimed, rng.choice(ADDRESSES), f"{claimed}, {rng.choice(ADDRESSES)}"])))
    return CIMultiDict(headers)


@pytest.mark.row("A9")
def test_a_header_cannot_fake_another_address(scale, seed, counted):
    rng, tries = random.Random(f"{seed} A9"), scale(2_000)
    plain, secure = (Settings(public_url=f"{scheme}://chess.example.org") for scheme in ("http", "https"))
    for _ in range(tries):
        direct = make_mocked_request("GET", "/", headers=forwarding(rng, []))
        for site, peer in ((plain, "127.0.0.1"), (plain, "203.0.113.9"), (secure, "203.0.113.9")):
            assert address_key(direct.clone(remote=peer), site) == peer
        # Behind a proxy, what it adds stands last, in a header of its own or at the end of one.
        claimed = list(forwarding(rng, []).items())
        through = make_mocked_request("GET", "/", headers=CIMultiDict([*claimed, ("X-Forwarded-For", "203.0.113.9")]))
        assert address_key(through.clone(remote="127.0.0.1"), secure) == "203.0.113.9"
    counted("headers", 2 * tries)


@pytest.mark.row("A9")
@pytest.mark.usefixtures("clock")
async def test_a_limit_by_address_is_not_lifted_by_a_header(visitor, server, counted):
    site, number = server.app[SITE], 0
    site.limits.guests = RateLimit(5, 600)
    for number in range(50):
        person = await visitor()
        headers = {"X-Forwarded-For": f"198.51.100.{number}", "X-Real-IP": f"198.51.100.{number}"}
        async with person.http.post("/api/guest", json={}, headers=headers) as answer:
            assert answer.status == (200 if number < 5 else 429)
    assert len(site.limits.guests.whole) == 1
    counted("requests", number + 1)


@pytest.mark.row("A16")
def test_a_million_keys_fill_a_limit_to_its_bound_and_no_further(scale, counted):
    keys, limit, before = scale(1_000_000), RateLimit(2, 60), resident()
    assert limit.take("10.0.0.1", 0) == limit.take("10.0.0.1", 0) == 0
    for number in range(keys):
        limit.take(f"{11 + (number >> 16)}.{number >> 8 & 255}.{number & 255}.1", 1_000 * number // keys)
    assert limit.take("10.0.0.1", 1_000) > 0, "a limit that is used up is not lifted by filling the map"
    assert limit.take("172.16.0.1", 1_000) == 0, "nobody else is turned away"
    assert len(limit.whole) <= 20_000
    assert len(limit.owed) <= 20_000
    assert resident() - before <= 20 * 2**20
    counted("keys", keys)


def resident():
    """Bytes of memory that this process has now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
