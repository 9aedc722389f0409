"""Who a browser is hangs on a number that nobody can guess, plant, or use after it has ended (A3, A4, A17, A18)."""

import random
import secrets

import pytest

from server.realtime.runtime.ids import digest
from server.web.site import SITE
from server.web.websocket.open_sockets import SERVICE_RESTART, SESSION_ENDED
from tests.support.web.accounts import PASSWORD, go, register, sign_in, sign_out, token_of

pytestmark = pytest.mark.usefixtures("unlimited")


async def who(person, token):
    """Who somebody with that cookie is: {} for nobody."""
    async with person.http.get("/api/me", headers={"Cookie": f"sid={token}"}) as answer:
        assert answer.status == 200
        return await answer.json()


def forged(rng, real):
    """A cookie that is nearly one: random, or a real one with a sign changed, cut, doubled, or its stored digest."""
    at = rng.randrange(len(real))
    return rng.choice(
        [
            secrets.token_urlsafe(32),
            real[:at] + ("A" if real[at] != "A" else "B") + real[at + 1 :],
            real[:-1],
            real + real[-1],
            real.swapcase(),
            real[::-1],
            digest(real)[:43],
            digest(real),
            f" {real}",
            f"{real}\u00e9",
        ]
    )


@pytest.mark.row("A3")
async def test_forged_and_rotated_cookies_identify_nobody(anna, ben, visitor, scale, seed, counted):
    rng, guesses, rotations, thief = random.Random(f"{seed} A3"), scale(10_000), scale(200), await visitor()
    await register(anna, "Anna")
    real, tried = token_of(anna), 0
    assert await who(thief, real) == await anna.get("/api/me") != {}
    while tried < guesses:
        guess = forged(rng, real)
        if guess.strip() != real:
            assert await who(thief, guess) == {}, guess
            tried += 1
    dead = []
    for _ in range(rotations):
        dead.append(token_of(anna))
        await sign_in(anna, "Anna")
    for token in dead:
        assert await who(thief, token) == {}
    counted("cookies", guesses + rotations)


@pytest.mark.row("A4")
async def test_every_change_of_identity_replaces_the_cookie(anna, visitor, scale, counted, seed, server):
    rng, cycles, thief = random.Random(f"{seed} A4"), scale(200), await visitor()
    await register(anna, "Anna")
    game, password = await anna.challenge(), PASSWORD
    for number in range(cycles):
        old = token_of(anna)
        async with anna.follow(game) as socket:
            await socket.next()
            match rng.choice(("sign in", "sign out", "password")) if number >= 3 else number:
                case 0 | "sign in":
                    assert await sign_in(anna, "Anna", password) == "/"
                    assert await socket.closing() == SERVICE_RESTART
                case 1 | "sign out":
                    assert await sign_out(anna) == "/"
                    assert await socket.closing() == SESSION_ENDED
                    await anna.post("/api/guest")
                    planted = token_of(anna)
                    assert await sign_in(anna, "Anna", password) == "/"
                    assert await who(thief, planted) == {}
                case _:
                    new = f"another good one {number}"
                    assert await go(anna, "/account/password", old=password, new=new) == "/account?changed"
                    assert await socket.closing() == SERVICE_RESTART
                    password = new
        assert token_of(anna) != old
        assert await who(thief, old) == {}
        assert (await anna.get("/api/me"))["name"] == "Anna"
    counted("cycles", cycles)


@pytest.mark.row("A17")
async def test_loading_pages_creates_no_user(visitor, server, scale, counted):
    site, loads = server.app[SITE], scale(10_000)
    person = await visitor()
    paths = (
        "/",
        "/protocol",
        "/rules/chess",
        "/games",
        "/players",
        "/watch",
        "/api/me",
        "/api/seeks",
        "/sign-in",
        "/x",
    )
    made = []
    add_guest = site.store.add_guest
    site.store.add_guest = lambda *each: (made.append(1), add_guest(*each))[1]
    for number in range(loads):
        async with person.http.get(paths[number % len(paths)]) as answer:
            assert not answer.cookies
    assert made == []
    await person.post("/api/guest")
    assert made == [1]
    counted("loads", loads)


@pytest.mark.row("A18")
async def test_signing_out_while_playing_keeps_seat_and_clock(anna, ben, server, scale, counted):
    rounds = scale(50)
    await register(anna, "Anna")
    for _ in range(rounds):
        game = await anna.challenge(move="e2e4")
        await ben.join(game)
        async with anna.follow(game) as white, ben.follow(game) as black:
            await white.next()
            await black.next()
            assert (await black.move(1, "e7e5"))["t"] == "ok"
            await sign_out(anna)
            assert await white.closing() == SESSION_ENDED
        running = server.app[SITE].rounds.in_memory(game["id"]).game
        assert running.clock.turn is running.to_move
        async with anna.follow(game) as watching:
            assert (await watching.next()).get("you") is None
        await sign_in(anna, "Anna")
        async with anna.follow(game) as white:
            assert (await white.next())["you"] == "white"
            assert (await white.move(2, "g1f3"))["t"] == "ok"
    counted("games", rounds)
