"""The page of a game: strangers, who all see the same, share one for a moment; players and guests have their own."""

import asyncio

import pytest

from server.web.rendering import answers
from server.web.rendering.page_cache import PAGE_CACHE
from server.web.site import SITE
from tests.support.web.page_block import block_of
from tests.support.web.people import play

pytestmark = pytest.mark.usefixtures("clock")


@pytest.fixture
def rendered(monkeypatch):
    """The templates that are rendered from now on."""
    names, real = [], answers.filling
    monkeypatch.setattr(answers, "filling", lambda found, seen: names.append(found.name) or real(found, seen))
    return names


async def begun(anna, ben):
    game = await anna.challenge()
    await ben.join(game)
    return game


async def snapshot(person, game, query=""):
    return (await block_of(person, f"/{game['id']}{query}"))["snapshot"]


@pytest.mark.row("A17")
async def test_who_only_watches_leaves_no_trace_in_the_store(anna, ben, carla, server, monkeypatch):
    game, store = await begun(anna, ben), type(server.app[SITE].store)
    async with anna.follow(game) as white, ben.follow(game) as black:
        await white.next()
        await black.next()

        async def no_guest(*_):
            raise AssertionError("somebody became a guest")

        monkeypatch.setattr(store, "add_guest", no_guest)
        monkeypatch.setattr(store, "touch_session", no_guest)
        await snapshot(carla, game)
        async with carla.follow(game) as watching:
            assert "you" not in await watching.next()
            await play((white, black), ["e2e4"])
            assert (await watching.until("moved"))["uci"] == "e2e4"
    assert not list(carla.http.cookie_jar)


async def test_a_crowd_that_follows_a_link_gets_one_page(anna, ben, visitor, rendered):
    game = await begun(anna, ben)
    crowd = [await visitor() for _ in range(5)]
    seen = await asyncio.gather(*(snapshot(one, game) for one in crowd))
    assert all(one == seen[0] for one in seen)
    assert rendered == ["round/round.html"]


async def test_players_and_guests_get_their_own_page(anna, ben, carla, visitor, rendered):
    game, stranger = await begun(anna, ben), await visitor()
    me = await carla.post("/api/guest")
    assert "you" not in await snapshot(stranger, game)
    assert [(await snapshot(one, game))["you"] for one in (anna, ben)] == ["white", "black"]
    assert (await block_of(carla, f"/{game['id']}"))["me"] == me
    assert (await block_of(stranger, f"/{game['id']}"))["me"] is None
    assert rendered == ["round/round.html"] * 4


async def test_a_page_shows_every_move_at_once_and_is_a_second_old_at_most(anna, ben, carla, clock):
    game = await begun(anna, ben)
    async with anna.follow(game) as white, ben.follow(game) as black:
        await white.next()
        await black.next()
        await play((white, black), ["e2e4", "e7e5"])
        assert [move[0] for move in (await snapshot(carla, game))["moves"]] == ["e2e4", "e7e5"]
        await play((white, black), ["g1f3"], 2)
        before = await snapshot(carla, game)
        assert [move[0] for move in before["moves"]] == ["e2e4", "e7e5", "g1f3"]
        clock.turn(1_000)
        assert (await snapshot(carla, game))["clock"]["black"] == before["clock"]["black"] - 1_000


async def test_a_page_with_a_query_leads_back_to_itself_and_is_not_kept(anna, ben, carla, server):
    game = await begun(anna, ben)
    async with carla.http.get(f"/{game['id']}?from=stream") as answer:
        assert f"/{game['id']}?from=stream" in await answer.text()
    assert not any(game["id"] in name for name, *_ in server.app[PAGE_CACHE].pages)


async def test_browsers_keep_no_page_of_a_game(anna, ben, carla):
    game = await begun(anna, ben)
    for one in (carla, anna):
        async with one.http.get(f"/{game['id']}") as answer:
            assert answer.headers["Cache-Control"] == "no-store"
            assert "ETag" not in answer.headers


@pytest.mark.parametrize(
    ("language", "said"), [("en", "send 100 messages in 20 seconds"), ("es", "100 mensajes en 20 segundos")]
)
async def test_who_writes_a_program_is_told_how_much_a_socket_takes(anna, language, said):
    async with anna.http.get("/protocol", headers={"Accept-Language": language}) as answer:
        page = await answer.text()
    assert said in page
    assert "<code>rate</code>" in page
