"""The server is killed while somebody goes on vacation or comes back: soon all their games do what was stored (T15)."""

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import aiohttp
import pytest

from server.games.clocks.time_control import TimeControl
from server.games.clocks.vacations import end_of
from server.games.player import Player
from server.storage.sqlite.store import SqliteStore
from tests.support.games import live_game, moved
from tests.support.patience import PATIENCE_S
from tests.support.rules.built_in import VARIANTS
from tests.support.web.accounts import register
from tests.support.web.people import Person

GAMES = 60
BROKEN = (aiohttp.ClientError, ConnectionError, TimeoutError)
"""What a browser meets whose server dies."""


async def fill(host, players):
    """Correspondence games between the two, who have moved once."""
    now = round(datetime.now(UTC).timestamp() * 1000)
    game = moved(live_game(control=TimeControl.correspondence(3)), "e2e4 e7e5", now=now)
    store = await SqliteStore.open(host.folder / "data" / "fairyhouse.sqlite3", VARIANTS)
    for number in range(GAMES):
        await store.create(replace(game, id=f"{number:010}", white=players[0], black=players[1]))
    await store.close()


async def change(person, going):
    """Goes away, until one of several days, or comes back."""
    last = datetime.now(UTC).date() + timedelta(going)
    body = {"json": {"until": last.isoformat()}} if going else {}
    async with person.http.request("POST" if going else "DELETE", "/api/me/vacation", **body) as answer:
        assert answer.status == 200


async def awaited(person):
    """Waits until all games do what the record says; until when that is, 0 for who is here."""
    until = (await person.get("/api/me/vacation"))["until"]
    stored = end_of(date.fromisoformat(until)) if until else None
    async with asyncio.timeout(PATIENCE_S):
        while True:
            games = (await person.get("/api/me/games"))["games"]
            assert len(games) == GAMES
            if {game["away"]["white"] for game in games} == {stored}:
                assert all((game["left"] is None) is (stored is not None) for game in games)
                return stored or 0
            await asyncio.sleep(0.2)


@pytest.mark.row("T15")
@pytest.mark.killed
@pytest.mark.timeout(600)
async def test_all_games_follow_a_vacation_however_often_the_server_is_killed(host, rng, scale, counted):
    await host.start()
    async with Person(host.site) as anna, Person(host.site) as ben:
        await register(anna, "Annabel")
        await register(ben, "Benedict")
        players = [Player(me["id"], me["name"]) for me in [await one.get("/api/me") for one in (anna, ben)]]
        await host.stop()
        await fill(host, players)
        await host.start()
        kills, told = scale(60), set()
        for _ in range(kills):
            asking = asyncio.create_task(change(anna, rng.choice((0, 2, 4, 6))))
            await asyncio.sleep(rng.uniform(0, 0.12))
            host.process.kill()
            await host.process.communicate()
            (ended,) = await asyncio.gather(asking, return_exceptions=True)
            assert ended is None or isinstance(ended, BROKEN), ended
            await host.start()
            told.add(await awaited(anna))
    await host.stop()
    assert kills < 10 or len(told) > 1, "now and then somebody has to go away or to come back"
    counted("kills", kills)
    counted("games", GAMES)
