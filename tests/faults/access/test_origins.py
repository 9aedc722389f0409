"""Pages of other sites, and pages that are only looked at, change nothing (A2, A10)."""

import sqlite3
from contextlib import closing
from itertools import count

import pytest

from server.web.site import SITE
from tests.faults.access.addresses import addresses
from tests.support.web.accounts import register
from tests.support.web.origins import FOREIGN

BOTS = [
    "facebookexternalhit/1.1",
    "Twitterbot/1.0",
    "Slackbot-LinkExpanding 1.0",
    "WhatsApp/2.23.20.0",
    "TelegramBot (like TwitterBot)",
    "Discordbot/2.0",
    "Mozilla/5.0 (compatible; Googlebot/2.1)",
    "Mozilla/5.0 (compatible; bingbot/2.0)",
    "LinkedInBot/1.0",
    "Mozilla/5.0",
]
OF_THE_SERVER = ('INSERT INTO "alive"', 'INSERT INTO "probe"')
FOR_ANYBODY = ["/api/token/test"]
"""Whoever asks: what is sent says everything, and nothing is changed."""
BY_TOKEN = ("/api/bot/", "/api/challenge/", "/api/tournament/", "/api/swiss/")
"""Where no cookie is looked at: a program shows its token."""
EAGER = [{}, {"Purpose": "prefetch"}, {"Sec-Purpose": "prefetch;prerender"}, {"X-Moz": "prefetch"}, {"DNT": "1"}]


@pytest.fixture
def stored(server, tmp_path):
    """Everything in the store, but for the signs of life of server and store."""
    copies = count()

    async def read():
        copy = tmp_path / f"{next(copies)}.sqlite3"
        await server.app[SITE].store.copy_to(copy)
        with closing(sqlite3.connect(copy)) as file:
            return [line for line in file.iterdump() if not line.startswith(OF_THE_SERVER)]

    return read


@pytest.mark.row("A2")
@pytest.mark.usefixtures("unlimited")
async def test_no_route_acts_for_a_page_of_another_site(server, stored, anna, counted):
    await register(anna, "Anna")
    game, me = await anna.challenge(), await anna.get("/api/me")
    before = await stored()
    doing = addresses(server, game=game["id"])
    assert len(doing) > 15
    anna.http.headers.clear()
    for method, path in doing:
        for origin in FOREIGN:
            headers = {} if origin is None else {"Origin": origin}
            async with anna.http.request(method, path, json={}, headers=headers, allow_redirects=False) as answer:
                status = 200 if path in FOR_ANYBODY else 401 if path.startswith(BY_TOKEN) else 403
                assert (answer.status, answer.cookies) == (status, {}), (method, path, origin)
    assert await anna.get("/api/me") == me
    assert await stored() == before
    counted("requests", len(doing) * len(FOREIGN))


@pytest.mark.row("A2")
@pytest.mark.usefixtures("unlimited")
async def test_reading_changes_nothing(server, stored, anna, ben, counted):
    await register(anna, "Anna")
    await register(ben, "Ben")
    game = await anna.challenge(to="Ben")
    before, reading = await stored(), addresses(server, "GET", "HEAD", game=game["id"])
    assert len(reading) > 60
    for person in (anna, ben):
        for method, path in reading:
            async with person.http.request(method, path, params={"next": "/"}, allow_redirects=False) as answer:
                assert answer.status < 500, (method, path)
                assert not answer.cookies, (method, path)
    assert await stored() == before
    counted("requests", 2 * len(reading))


@pytest.mark.row("A10")
@pytest.mark.usefixtures("unlimited")
async def test_link_previews_take_no_seat(server, anna, ben, visitor, counted):
    game, bot = await anna.challenge(), await visitor()
    bot.http.headers.clear()
    for agent in BOTS:
        for eager in EAGER:
            for method in ("GET", "HEAD"):
                headers = {"User-Agent": agent, **eager}
                async with bot.http.request(method, f"/{game['id']}", headers=headers) as answer:
                    assert (answer.status, answer.cookies) == (200, {})
    assert (await ben.get(f"/api/games/{game['id']}"))["status"] == "open"
    assert (await ben.join(game))["color"] == "black"
    assert not server.app[SITE].rounds.in_memory(game["id"]).game.plies
    counted("looks", len(BOTS) * len(EAGER) * 2)
