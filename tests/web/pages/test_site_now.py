"""What the front page tells of the site: people, games in play, and one game to look at."""

from contextlib import AsyncExitStack
from dataclasses import replace

from server.games.changes.ending import Resign
from server.games.player import Player
from server.rules.variant.pieces import Color
from server.web.pages import home
from server.web.site import SITE
from tests.support.games import after, live_game, moved
from tests.support.web.people import play


async def test_a_site_without_games_says_so(anna):
    now = await anna.get("/api/now")
    assert (now["playing"], now["board"], now["last"]) == (0, None, None)


async def test_without_a_game_in_play_the_newest_finished_one_is_shown(anna, server):
    game = moved(live_game(), "e2e4 e7e5")
    over = after(game, Resign(Color.WHITE))
    store = server.app[SITE].store
    await store.create(replace(over, id="1234567890", white=Player("w", "Wanda")))
    last = (await anna.get("/api/now"))["last"]
    assert (last["game"], last["white"], last["result"]) == ("1234567890", "Wanda", "0-1")
    assert last["fen"].startswith("rnbqkbnr/pppp1ppp")


async def test_games_in_play_are_counted_for_each_variant(anna, ben):
    async with AsyncExitStack() as tables:
        for variant, moves in (("chess", ["e2e4", "e7e5"]), ("grand", ["e3e5", "e8e6"]), ("grand", [])):
            game = await anna.challenge(variant=variant)
            await ben.join(game)
            sides = [await tables.enter_async_context(one.follow(game)) for one in (anna, ben)]
            await play(sides, moves)
        now = await anna.get("/api/now")
    assert (now["playing"], now["variants"]) == (2, {"chess": 1, "grand": 1}), "one has not begun"


async def test_it_is_looked_up_once_for_all_languages_and_kinds_of_visitors(anna, ben, server, monkeypatch):
    looks, look_around = [], home.look_around
    now = server.app[SITE].now()
    monkeypatch.setattr(type(server.app[SITE]), "now", lambda _: now)
    monkeypatch.setattr(home, "look_around", lambda request: looks.append(request) or look_around(request))
    await anna.challenge()  # a guest from now on
    for reader in (anna, ben):
        for language in ("en", "es"):
            async with reader.http.get("/api/now", headers={"Accept-Language": language}) as answer:
                assert answer.status == 200
    assert len(looks) == 1
