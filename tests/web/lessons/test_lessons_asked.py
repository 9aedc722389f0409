"""Lessons as a browser asks for them: judged by the server, kept for whoever has an account."""

import json

import pytest
from aiohttp.test_utils import TestServer

from server import app
from server.app import build_app
from server.realtime.play.player_ratings import count_finished
from server.rules.catalogue import load_catalogue
from server.web.assets import find_assets
from server.web.site import SITE
from tests.support.web.accounts import PASSWORD, go, register
from tests.support.web.people import FOOLS_MATE, Person, play
from tests.web.rules_pages.reading import read

FORK = "/api/lessons/chess/royal-fork"


async def tried(person, address, move, language="en"):
    async with person.http.post(address, json={"move": move}, headers={"Accept-Language": language}) as answer:
        return answer.status, await answer.json()


async def done(person):
    async with person.http.get("/api/me/lessons") as answer:
        return (await answer.json())["done"]


async def test_a_move_is_judged_and_a_wrong_one_is_told_why(anna):
    status, right = await tried(anna, FORK, "d5c7")
    assert status == 200
    assert (right["solved"], right["check"], right["reply"]) == (True, True, None)
    assert right["said"].startswith("The king has to move")
    status, wrong = await tried(anna, FORK, "d5b6")
    assert (status, wrong["solved"]) == (200, False)
    assert wrong["said"] == "From there the knight does not attack e8."
    _, spanish = await tried(anna, FORK, "d5b6", "es")
    assert spanish["said"] == "Desde ahí el caballo no ataca e8."


async def test_what_refutes_a_move_is_shown(anna):
    _, wrong = await tried(anna, "/api/lessons/crazyhouse/air", "P@a2")
    assert wrong["said"] == "Then comes N@f2#, and the game is lost."
    assert wrong["reply"]["uci"] == "N@f2"
    assert wrong["reply"]["check"]


@pytest.mark.parametrize(
    ("address", "body", "status", "code"),
    [
        (FORK, {"move": "d5d8"}, 400, "illegal"),
        (FORK, {"move": "anything"}, 400, "illegal"),
        (FORK, {}, 400, "bad_request"),
        ("/api/lessons/chess/nothing", {"move": "e2e4"}, 404, "not_found"),
        ("/api/lessons/nothing/royal-fork", {"move": "e2e4"}, 404, "not_found"),
    ],
)
async def test_what_is_no_answer_is_refused(anna, address, body, status, code):
    async with anna.http.post(address, json=body) as answer:
        assert answer.status == status
        assert (await answer.json())["message"]


async def test_what_is_done_is_kept_for_whoever_is_registered(anna, ben):
    await register(anna, "Anna")
    assert await done(anna) == {}
    await tried(anna, FORK, "d5b6")
    assert await done(anna) == {}
    await tried(anna, FORK, "d5c7")
    await tried(anna, FORK, "d5c7")
    await tried(anna, "/api/lessons/chess/step-1", "e2e4")
    assert {lesson: sorted(steps) for lesson, steps in (await done(anna)).items()} == {
        "chess": ["royal-fork", "step-1"]
    }
    async with anna.http.get("/account/export") as answer:
        exported = (await answer.json())["lessons"]
    assert {one["step"] for one in exported} == {"royal-fork", "step-1"}
    await tried(ben, FORK, "d5c7")
    assert await done(ben) == {}


async def test_what_is_done_goes_with_the_account(anna, server):
    await register(anna, "Anna")
    owner = (await anna.get("/api/me"))["id"]
    await tried(anna, FORK, "d5c7")
    store = server.app[SITE].store
    assert [one.step for one in await store.lessons.of(owner)] == ["royal-fork"]
    assert await go(anna, "/account/delete", password=PASSWORD) == "/sign-in?deleted"
    await server.app[SITE].live.services.background.finish(5)
    assert await store.lessons.of(owner) == []


OWN = """
parent = "chess"
name = "Queens"
tagline = "Queens in the corners."
differences = ["Queens stand in the corners.", "The king castles with a queen."]
chess960 = false
start = "qnbrkbnq/pppppppp/8/8/8/8/PPPPPPPP/QNBRKBNQ w KQkq - 0 1"
[castling]
rook = "q"
"""
LESSON = """
[[tasks]]
id = "castle"
name = "Castle with a queen"
fen = "4k3/8/8/8/8/8/8/4K2Q w K - 0 1"
say = "Castle."
goal = { castles = true }
well = "The queen goes where the rook would."
"""


async def test_the_front_page_knows_the_tasks_and_what_its_reader_has_done(anna, ben):
    await register(anna, "Anna")
    await tried(anna, FORK, "d5c7")
    for person, done_here in ((anna, {"chess": ["royal-fork"]}), (ben, {})):
        known = facts(await read(person.http, "/"))
        assert known["done"] == done_here
        assert ["royal-fork", "The fork"] in known["tasks"]["chess"]
    spanish = facts(await read(ben.http, "/", "es"))
    assert ["royal-fork", "El doble"] in spanish["tasks"]["chess"]


def facts(page):
    return json.loads(page.split('id="page">')[1].split("</script>")[0])


@pytest.mark.parametrize("with_lesson", [False, True])
async def test_a_hosts_own_variant_has_the_lesson_of_the_host_or_none(settings, tmp_path, with_lesson):
    (tmp_path / "queens.toml").write_text(OWN)
    if with_lesson:
        (tmp_path / "lessons").mkdir()
        (tmp_path / "lessons" / "queens.toml").write_text(LESSON)
    own = settings.model_copy(update={"variants_dir": tmp_path})
    assert load_catalogue(tmp_path)["queens"]
    async with TestServer(build_app(own, find_assets())) as server, Person(server.make_url("/")) as anna:
        for language in ("en", "es"):
            page = await read(anna.http, "/rules/queens", language)
            assert ('id="tasks"' in page) == with_lesson
            assert ("Castle with a queen" in page) == with_lesson
            assert ("queens" in facts(await read(anna.http, "/", language))["tasks"]) == with_lesson
            assert 'id="lesson-tabs"' in page or not with_lesson


async def test_a_lesson_with_a_mistake_stops_the_start(settings, tmp_path):
    (tmp_path / "lessons").mkdir()
    (tmp_path / "queens.toml").write_text(OWN)
    (tmp_path / "lessons" / "queens.toml").write_text(LESSON.replace("castles = true", "castles = 3"))
    with pytest.raises(app.CannotStart, match=r"lessons/queens.toml: tasks 1.goal.castles: must be true or false"):
        build_app(settings.model_copy(update={"variants_dir": tmp_path}), find_assets())


OFFER = "See it in two minutes"


async def test_a_game_that_waits_offers_the_lesson_to_whoever_is_new_to_its_variant(anna, ben, carla):
    """While no clock runs: to both players and before a session exists, and no longer once both are there."""
    game = await anna.challenge(variant="seirawan")
    address = f"/{game['id']}"
    assert f'href="/rules/seirawan#try" target="_blank" rel="noopener">New to S-Chess? {OFFER}' in await read(
        anna.http, address
    )
    assert OFFER in await read(ben.http, address)
    await ben.join(game)
    assert OFFER not in await read(anna.http, address)
    assert OFFER not in await read(carla.http, address)


async def test_who_has_finished_a_game_of_the_variant_is_offered_no_lesson(anna, ben, server):
    game = await anna.challenge(variant="seirawan", color="white")
    await ben.join(game)
    async with anna.follow(game) as annas, ben.follow(game) as bens:
        await play((annas, bens), FOOLS_MATE)
    await count_finished(server.app[SITE].store.ratings)
    again = await anna.challenge(variant="seirawan")
    assert OFFER not in await read(anna.http, f"/{again['id']}")
    other = await anna.challenge(variant="grand")
    assert OFFER in await read(anna.http, f"/{other['id']}")
