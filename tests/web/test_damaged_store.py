"""One record of the store is damaged, in any way: the site starts, and everything else is there as before."""

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import aiohttp
import pytest

from server.storage.errors import Unreadable
from server.web.operation.metrics import metrics_of
from server.web.site import SITE
from tests.support.games import live_game
from tests.support.storage.damage import TABLES, damage_row, spoil_head
from tests.support.storage.filled_site import fill_site
from tests.support.storage.stored_games import game_called
from tests.support.web.in_process import InProcess

pytestmark = pytest.mark.slow

PAGES = ("/", "/games", "/players", "/watch", "/@/Anna", "/@/Berta", "/api/seeks", "/api/games?player=Anna")
DAMAGED = "This is stored here, but damaged, and cannot be shown."


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    path = tmp_path_factory.mktemp("filled") / "fairyhouse.sqlite3"
    asyncio.run(fill_site(path))
    return path


@pytest.fixture(scope="module")
def moves(filled):
    """What was played in every game, as it was stored before anything was damaged."""
    with closing(sqlite3.connect(filled)) as connection:
        games = {game: [] for (game,) in connection.execute("SELECT id FROM games")}
        for game, move in connection.execute("SELECT game, move FROM moves ORDER BY game, ply"):
            games[game].append(move.split(" ")[0])
    return games


@pytest.fixture
def site(tmp_path, monkeypatch, filled):
    return InProcess(tmp_path, monkeypatch)


def undamaged(site, filled):
    """A fresh copy of the filled file, where the site keeps its own."""
    shutil.rmtree(site.settings.data_dir, ignore_errors=True)
    site.settings.data_dir.mkdir()
    return Path(shutil.copy(filled, site.settings.data_dir))


async def failures(site, moves):
    """What is not served as it was, by address: (status, code). A page that crashed is here too."""
    found = {}
    async with aiohttp.ClientSession(site.site) as http:
        for page in PAGES:
            async with http.get(page) as answer:
                if answer.status != 200:
                    found[page] = answer.status, DAMAGED in await answer.text()
    rounds = site.runner.app[SITE].rounds
    for game, played in moves.items():
        try:
            round_ = await rounds.get(game)
        except Unreadable:
            found[game] = 500, True
        else:
            if round_ is None:
                found[game] = 404, False
            else:
                assert [ply.uci for ply in round_.game.plies] == played, game
    return found


@pytest.mark.parametrize("table", ["games", "moves", "seeks", "standings"])
async def test_one_damaged_row_keeps_nothing_else_from_being_served(site, filled, moves, table, seed, caplog):
    await check_one(site, undamaged(site, filled), moves, table, Random(f"{seed} {table}"), caplog)


@pytest.mark.only_full("starts a site three hundred times")
@pytest.mark.parametrize("table", TABLES)
async def test_any_damaged_row_keeps_nothing_else_from_being_served(site, filled, moves, table, seed, caplog):
    for number in range(20):
        await check_one(site, undamaged(site, filled), moves, table, Random(f"{seed} {table} {number}"), caplog)


async def check_one(site, path, moves, table, random, caplog):
    done = damage_row(path, random, table)
    caplog.clear()
    async with site:
        failed = await failures(site, moves)
    check_few(failed, done)
    assert not [one for one in caplog.records if one.exc_info], (done, caplog.text)


def check_few(failed, done):
    """Only the game that was damaged, or the page of somebody who was; and it says what is wrong."""
    assert len(failed) <= 1, (done, failed)
    for status, told in failed.values():
        assert (status, told) in ((500, True), (404, False)), (done, failed)


async def test_the_page_of_a_damaged_game_says_so_and_what_to_do(server, anna):
    store = server.app[SITE].store
    game = game_called("DamagedOne", live_game())
    await store.create(game)
    await spoil_head(store, game)
    page = await anna.http.get(f"/{game.id}")
    text = await page.text()
    assert page.status == 500
    assert DAMAGED in text
    assert "fairyhouse check" in text
    assert (await anna.get(f"/api/games/{game.id}", status=500))["code"] == "damaged"
    assert b'fairyhouse_damaged_total{kind="games"} 1.0' in metrics_of(server.app).text()
