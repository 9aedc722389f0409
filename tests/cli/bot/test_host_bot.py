"""`fairyhouse bot`: it plays whoever challenges it or waits, goes on after a restart, and says what it lacks."""

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest

from server.cli import bot
from server.cli.bot import ApiClient, BotOptions, HostBot, play
from server.cli.engines import EngineProgram, UciEngine, engine_at, own_engine
from server.cli.site_access import CommandRefused
from server.settings import Settings
from tests.support.bots.berserk_client import with_token
from tests.support.bots.engine_of_tests import write_engine
from tests.support.patience import PATIENCE_S
from tests.support.rules.built_in import VARIANTS
from tests.support.web.fixtures import anna, ben, carla, clock, server, settings, visitor
from tests.support.web.people import BLITZ

__all__ = ["anna", "ben", "carla", "clock", "server", "settings", "visitor"]

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(bot, "LOOK_EVERY_S", 0.05)
    monkeypatch.setattr(bot, "AGAIN_S", 0.05)


@asynccontextmanager
async def playing(server, token, engine, plays=("chess", "crazyhouse")):
    """The bot plays until it is left."""
    engine = UciEngine(engine if isinstance(engine, EngineProgram) else engine_at(engine), 1)
    await engine.start()
    async with aiohttp.ClientSession() as http:
        api = ApiClient(str(server.make_url("/")), token, http)
        await api.post("/api/bot/account/upgrade")
        bot = HostBot(api, engine, VARIANTS, frozenset(plays), 0, 3, "housebot")
        task = asyncio.create_task(bot.run())
        try:
            yield bot
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await engine.stop()


async def status_of(person, game):
    """ "": there is no such game yet."""
    async with person.http.get(f"/api/games/{game}") as answer:
        return (await answer.json()).get("status", "")


async def moves_until(socket, plies):
    """Waits until so many half-moves have been played, our own among them."""
    while len([one for one in socket.seen if one["t"] == "moved"]) < plies:
        await socket.next(20)


async def test_it_accepts_what_it_plays_and_goes_on_after_a_restart(server, anna, carla, tmp_path):
    token = await with_token(anna, "HouseBot")
    await with_token(carla, "Carla")
    engine = write_engine(tmp_path, ROOT)
    async with playing(server, token, engine):
        refused = await carla.post("/api/games", 201, variant="grand", clock=BLITZ, to="HouseBot")
        game = await carla.post("/api/games", 201, variant="crazyhouse", clock=BLITZ, to="HouseBot", color="white")
        async with carla.follow(game) as socket:
            if (await socket.next())["status"] == "open":
                await socket.until("joined", 20)
            assert (await socket.move(0, "e2e4"))["t"] == "ok"
            await moves_until(socket, 2)
        async with carla.follow(refused) as socket:
            snapshot = await socket.next()
            assert snapshot["ended"]["reason"] == "declined"
    async with playing(server, token, engine), carla.follow(game) as socket:
        await socket.next()
        assert (await socket.move(2, "d2d4"))["t"] == "ok"
        await moves_until(socket, 2)


async def test_it_plays_whoever_waits(server, anna, carla, tmp_path):
    token = await with_token(anna, "HouseBot")
    async with playing(server, token, write_engine(tmp_path, ROOT)):
        asked = await carla.post("/api/seeks", 201, variants=["crazyhouse"], clock=BLITZ)
        async with asyncio.timeout(PATIENCE_S):
            while True:
                async with carla.http.get(f"/api/seeks/{asked['seek']['id']}/game") as answer:
                    game = (await answer.json()).get("game")
                if game and await status_of(carla, game) == "live":
                    break
                await asyncio.sleep(0.05)


async def test_it_leaves_whoever_waits_to_people_first():
    taken = []

    class Api:
        async def post(self, path, **fields):
            taken.append((path, fields))

    bot = HostBot(Api(), None, VARIANTS, frozenset({"chess", "grand"}), 30, 3, "housebot")
    seeks = [
        {"id": "suits", "variants": ["grand", "shogun"]},
        {"id": "rated", "rated": 1},
        {"id": "a bot", "bot": 1},
        {"id": "shogun", "variants": ["shogun"]},
    ]
    for now in (0, 29.9):
        await bot._take_seeks(seeks, now)
    assert taken == []
    await bot._take_seeks(seeks, 30)
    assert taken == [("/api/bot/seek/suits/take", {"variants": "grand"})]
    await bot._take_seeks([], 31)
    assert bot.seen == {}, "those that are gone are forgotten"


async def test_without_an_engine_of_the_hosts_the_sites_own_plays(server, anna, carla):
    token = await with_token(anna, "HouseBot")
    await with_token(carla, "Carla")
    async with playing(server, token, own_engine(None), ("shogun",)):
        game = await carla.post("/api/games", 201, variant="shogun", clock=BLITZ, to="HouseBot", color="white")
        async with carla.follow(game) as socket:
            if (await socket.next())["status"] == "open":
                await socket.until("joined", 20)
            for ply, uci in ((0, "e2e4"), (2, "a2a3")):
                assert (await socket.move(ply, uci))["t"] == "ok"
                await moves_until(socket, ply + 2)


async def test_it_resigns_rather_than_hang(server, anna, carla, tmp_path):
    token = await with_token(anna, "HouseBot")
    await with_token(carla, "Carla")
    broken = write_engine(tmp_path, ROOT, before_going="print('bestmove a1a1', flush=True); continue")
    async with playing(server, token, broken):
        game = await carla.post("/api/games", 201, variant="chess", clock=BLITZ, to="HouseBot", color="black")
        async with carla.follow(game) as socket:
            await socket.until("over", 20)


@pytest.mark.parametrize(
    ("engine", "said"), [("/nowhere/engine", "cannot be started"), ("/bin/true", "does not answer as a UCI engine")]
)
def test_it_says_that_there_is_no_engine(monkeypatch, engine, said):
    monkeypatch.setenv("BOT_TOKEN", "fh_x")
    with pytest.raises(CommandRefused, match=said):
        play(Settings(), BotOptions(Path(engine), 3, (), "", 30, 8))


def test_it_says_that_there_is_no_token_or_variant_or_site(monkeypatch, tmp_path):
    monkeypatch.delenv("BOT_TOKEN", raising=False)
    engine = write_engine(tmp_path, ROOT)
    with pytest.raises(CommandRefused, match="BOT_TOKEN"):
        play(Settings(), BotOptions(engine, 3, (), "", 30, 8))
    monkeypatch.setenv("BOT_TOKEN", "fh_x")
    with pytest.raises(CommandRefused, match=r"does not play grand\. Both play (?=.*chess)"):
        play(Settings(), BotOptions(engine, 3, ("grand",), "", 30, 8))
    with pytest.raises(CommandRefused, match="does not answer"):
        play(Settings(), BotOptions(engine, 3, (), "http://127.0.0.1:9", 30, 8))


async def test_it_says_that_its_token_is_refused(server, monkeypatch, tmp_path):
    monkeypatch.setenv("BOT_TOKEN", "fh_" + "a" * 43)
    order = BotOptions(write_engine(tmp_path, ROOT), 3, (), str(server.make_url("/")), 30, 8)
    with pytest.raises(CommandRefused, match="refuses the token"):
        await asyncio.to_thread(play, Settings(), order)
