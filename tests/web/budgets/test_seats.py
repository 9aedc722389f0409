"""A player with a seat in a running game can come back, whatever others behind the same address ask for."""

import secrets

import aiohttp
import pytest

from server.web import seats
from server.web.budgets.buckets import SHARED, RateLimit
from server.web.site import SITE


async def seated(anna, ben):
    game = await anna.challenge()
    await ben.join(game)
    return game


def used_up(server):
    """Somebody behind the same address asks for all that it may ask for."""
    limits = server.app[SITE].limits
    for limit in (limits.handshakes, limits.reads, limits.files):
        for key in ("127.0.0.1", f"{SHARED}127.0.0.1"):
            limit.whole[key] = server.app[SITE].now() + limit.period_ms + 3_600_000


async def refused(person):
    try:
        async with person.open_socket():
            return None
    except aiohttp.WSServerHandshakeError as refusal:
        return refusal.status


@pytest.mark.row("S11")
async def test_a_player_reconnects_when_the_address_may_open_no_more_sockets(anna, ben, carla, server):
    game = await seated(anna, ben)
    await carla.post("/api/guest")
    used_up(server)
    assert await refused(carla) == 429, "who plays nothing waits like everybody there"
    async with anna.follow(game) as socket:
        assert (await socket.next())["t"] == "snapshot"
    await anna.get(f"/api/games/{game['id']}")


@pytest.mark.row("S11")
async def test_a_player_reconnects_to_a_server_that_has_just_started(anna, ben, server):
    game = await seated(anna, ben)
    server.app[SITE].seats.known.clear()
    used_up(server)
    async with anna.follow(game) as socket:
        assert (await socket.next())["t"] == "snapshot"


@pytest.mark.row("S11")
async def test_a_seat_in_a_game_that_is_over_lets_nobody_in(anna, ben, server, monkeypatch):
    monkeypatch.setattr(seats, "BELIEVED_MS", 0)
    game = await seated(anna, ben)
    async with anna.follow(game) as socket:
        await socket.next()
        await socket.send({"t": "abort", "id": 1})
        await socket.until("over")
    used_up(server)
    assert await refused(anna) == 429


@pytest.mark.row("S11")
async def test_a_seat_has_a_limit_of_its_own(anna, ben, server):
    await seated(anna, ben)
    used_up(server)
    server.app[SITE].limits.seated = RateLimit(2, 3600)
    assert [await refused(anna) for _ in range(3)] == [None, None, 429]


@pytest.mark.row("S11")
async def test_all_seats_of_an_address_have_a_limit_together(anna, ben, server):
    await seated(anna, ben)
    used_up(server)
    server.app[SITE].limits.seated = RateLimit(2, 3600, shared=3)
    assert [await refused(anna) for _ in range(3)] == [None, None, 429]
    assert [await refused(ben) for _ in range(2)] == [None, 429], "what anna was refused is not charged to the others"


@pytest.mark.row("S11")
@pytest.mark.usefixtures("clock")
async def test_made_up_cookies_do_not_become_questions_to_the_store(anna, ben, carla, server, monkeypatch):
    game = await seated(anna, ben)
    used_up(server)
    site, asked = server.app[SITE], []
    real = type(site.store).session

    async def counted(store, key):
        asked.append(key)
        return await real(store, key)

    monkeypatch.setattr(type(site.store), "session", counted)
    for _ in range(100):
        headers = {"Cookie": f"{site.sessions.cookie}={secrets.token_urlsafe(32)}"}
        async with carla.http.get(f"/api/games/{game['id']}", headers=headers) as answer:
            assert answer.status == 429
    assert len(asked) == site.limits.recognising.amount
    assert await refused(anna) is None, "who was recognised before needs no question"
