"""Puzzles as a browser asks for them: judged by the server, which keeps the solution to itself."""

import json
from dataclasses import replace

import pytest

from server.games.rating import Rating
from server.storage.tables.puzzles import Searched
from server.web.site import SITE
from tests.support.puzzles import CASTLED, SMOTHERED
from tests.support.web.accounts import PASSWORD, go, register

FIRST, REPLY, LAST = SMOTHERED.line
ADDRESS = f"/api/puzzles/{SMOTHERED.id}"
HARD = replace(SMOTHERED, id="hard", rating=Rating(1_900.0, 80.0))
GUEST = {"standing": {}}


@pytest.fixture(autouse=True)
async def site(server):
    site = server.app[SITE]
    await site.store.puzzles.keep_puzzles(Searched(SMOTHERED.game, "chess", 1), [SMOTHERED])
    return site


async def asked(person, address=ADDRESS, status=200, language="en", **body):
    async with person.http.post(address, json=body, headers={"Accept-Language": language}) as answer:
        assert answer.status == status, await answer.text()
        return await answer.json()


async def test_it_is_solved_move_by_move(anna):
    shown = (await asked(anna, "/api/puzzles", form="chess"))["puzzle"]
    assert (shown["id"], shown["fen"], shown["turn"]) == (SMOTHERED.id, SMOTHERED.fen, "white")
    assert shown["say"] == "Your turn: find the best move for White."
    assert FIRST in shown["legal"]
    first = await asked(anna, moves=[FIRST])
    assert (first["right"], first["solved"], first["reply"]["uci"]) == (True, False, REPLY)
    assert LAST in first["reply"]["legal"]
    last = await asked(anna, moves=[FIRST, LAST], language="es")
    assert (last["solved"], last["say"], last["reply"]) == (True, "¡Resuelto!", None)
    assert last["about"]["themes"] == ["Mate"]
    assert last["about"]["moves"] == list(SMOTHERED.line)
    assert last["about"]["game"] is None, "that game is not there"


async def test_nothing_gives_the_solution_away_before_it_is_solved_or_given_up(anna):
    told = [
        await asked(anna, "/api/puzzles", form="chess"),
        await anna.get(ADDRESS),
        await asked(anna, moves=["c4c5"], **GUEST),
        await asked(anna, moves=[FIRST], **GUEST),
        await asked(anna, moves=[FIRST, "h6g8"], **GUEST),
    ]
    async with anna.http.get("/puzzles/chess") as page:
        told.append(await page.text())
    for said in told:
        text = json.dumps(said)
        assert SMOTHERED.game not in text
        assert " ".join(SMOTHERED.line) not in text
        assert "Mate" not in text
    assert [said.get("about") for said in told[2:5]] == [None] * 3
    assert "moves" not in json.dumps(told[:5])
    # What was not played stands nowhere but among all legal moves.
    for said in told[:3]:
        shown = said.get("puzzle") or said
        assert FIRST not in json.dumps({name: value for name, value in shown.items() if name != "legal"})
    solution = await asked(anna, f"{ADDRESS}/solution")
    assert [one["uci"] for one in solution["line"]] == list(SMOTHERED.line)


async def test_only_the_first_try_of_an_account_counts(anna, site):
    await register(anna, "Anna")
    owner = (await anna.get("/api/me"))["id"]
    wrong = await asked(anna, moves=["c4c5"])
    assert (wrong["right"], wrong["say"]) == (False, "That is not it. Try something else.")
    assert wrong["settled"]["gained"] < 0
    assert wrong["settled"]["standing"]["streak"] == 0
    assert (await asked(anna, moves=[FIRST, LAST]))["settled"] is None
    assert (await asked(anna, f"{ADDRESS}/solution"))["settled"] is None
    standing = await site.store.puzzle_tries.find_standing(owner, "chess", False)
    assert (standing.rating.games, standing.solved, standing.rating.rounded < 1_500) == (1, 0, True)
    assert (await site.store.puzzles.find_puzzle(SMOTHERED.id)).rating.rounded > 1_500
    assert (await asked(anna, "/api/puzzles", form="chess"))["puzzle"] is None


async def test_what_is_solved_makes_a_streak_and_a_rating_and_goes_with_the_account(anna, site, server):
    await site.store.puzzles.keep_puzzles(Searched("other", "chess", 1), [HARD])
    await register(anna, "Anna")
    owner = (await anna.get("/api/me"))["id"]
    assert (await asked(anna, moves=[FIRST, LAST]))["settled"]["standing"]["streak"] == 1
    assert (await asked(anna, "/api/puzzles", form="chess"))["puzzle"]["id"] == "hard"
    settled = (await asked(anna, "/api/puzzles/hard", moves=[FIRST, LAST]))["settled"]
    assert (settled["standing"]["streak"], settled["standing"]["solved"], settled["gained"] > 0) == (2, 2, True)
    given_up = await asked(anna, "/api/puzzles", form="chess960")
    assert (given_up["puzzle"], given_up["standing"]["tried"]) == (None, 0)
    async with anna.http.get("/account/export") as answer:
        exported = await answer.json()
    assert {one["puzzle"] for one in exported["puzzles"]} == {SMOTHERED.id, "hard"}
    assert exported["puzzle_ratings"][0]["longest_streak"] == 2
    assert await go(anna, "/account/delete", password=PASSWORD) == "/sign-in?deleted"
    await server.app[SITE].live.services.background.finish(5)
    assert await site.store.puzzle_tries.tried_puzzles(owner) == set()


async def test_a_960_form_has_puzzles_and_ratings_of_its_own_and_castling_is_told_from_a_step(anna, site):
    await site.store.puzzles.keep_puzzles(Searched(CASTLED.game, "chess", 1), [CASTLED])
    await register(anna, "Anna")
    assert (await asked(anna, "/api/puzzles", form="chess"))["puzzle"]["id"] == SMOTHERED.id
    shown = (await asked(anna, "/api/puzzles", form="chess960"))["puzzle"]
    assert (shown["id"], shown["form"], shown["chess960"]) == (CASTLED.id, "chess960", True)
    assert {"b1a1", "b1c1"} <= set(shown["legal"])
    address = f"/api/puzzles/{CASTLED.id}"
    stepped = await asked(anna, address, moves=["b1c1"])
    assert (stepped["right"], stepped["after"]["fen"].split()[0].split("/")[-1]) == (False, "R1K4n")
    castled = await asked(anna, address, moves=["b1a1"])
    assert (castled["solved"], castled["after"]["fen"].split()[0].split("/")[-1]) == (True, "2KR3n")
    assert castled["about"]["themes"] == ["Castling", "Mate"]
    tried = [(await asked(anna, "/api/puzzles", form=form))["standing"]["tried"] for form in ("chess", "chess960")]
    assert tried == [0, 1]
    async with anna.http.get("/puzzles") as answer:
        assert 'href="/puzzles/chess960"' in await answer.text()


async def test_a_guests_rating_is_worked_out_for_their_browser_and_rates_no_puzzle(anna, site):
    first = (await asked(anna, moves=[FIRST, LAST], **GUEST))["settled"]
    assert first["gained"] > 0
    await site.store.puzzles.keep_puzzles(Searched("other", "chess", 1), [HARD])
    tried = [SMOTHERED.id]
    found = await asked(anna, "/api/puzzles", form="chess", tried=tried, standing=first["standing"])
    assert (found["puzzle"]["id"], found["standing"]) == ("hard", first["standing"])
    second = (await asked(anna, "/api/puzzles/hard", moves=["c4c5"], standing=first["standing"]))["settled"]
    assert (second["standing"]["tried"], second["standing"]["streak"], second["standing"]["best"]) == (2, 0, 1)
    assert (await asked(anna, moves=[FIRST, LAST]))["settled"] is None, "it was not their first try"
    assert await site.store.puzzles.find_puzzle(SMOTHERED.id) == SMOTHERED
    assert await site.store.puzzles.find_puzzle("hard") == HARD


@pytest.mark.parametrize(
    ("address", "body", "status"),
    [
        (ADDRESS, {"moves": ["d5d8"]}, 400),
        (ADDRESS, {"moves": ["anything"]}, 400),
        (ADDRESS, {"moves": []}, 400),
        (ADDRESS, {"moves": [FIRST] * 21}, 400),
        (ADDRESS, {"moves": [FIRST], "standing": {"value": 1e9}}, 400),
        (ADDRESS, {"moves": [FIRST], "solved": True}, 400),
        ("/api/puzzles/nothing", {"moves": [FIRST]}, 404),
        ("/api/puzzles/nothing/solution", {}, 404),
        ("/api/puzzles", {"form": "nonsense"}, 404),
        ("/api/puzzles", {"form": "chess", "tried": ["<b>"]}, 400),
        ("/api/puzzles", {"form": "chess", "tried": ["a"] * 401}, 400),
    ],
)
async def test_what_is_no_try_is_refused(anna, address, body, status):
    assert (await asked(anna, address, status, **body))["message"]


@pytest.mark.parametrize("language", ["en", "es"])
async def test_the_pages_show_what_there_is_and_what_to_do_without(anna, language):
    async def page(address):
        async with anna.http.get(address, headers={"Accept-Language": language}) as answer:
            assert answer.status == 200
            return await answer.text()

    index = await page("/puzzles")
    assert 'href="/puzzles/chess"' in index
    assert 'href="/puzzles/grand"' not in index
    assert 'id="try-board"' in await page("/puzzles/chess")
    assert "fairyhouse puzzles make" in await page("/puzzles/chess960")
    async with anna.http.get("/puzzles/nonsense") as answer:
        assert answer.status == 404


async def test_a_site_without_puzzles_says_how_some_come(anna, site):
    await site.store.puzzles.remove_puzzles([SMOTHERED.id])
    async with anna.http.get("/puzzles") as answer:
        text = await answer.text()
    assert "There are no puzzles here yet." in text
    assert 'class="scene scene-mate"' in text
    assert "fairyhouse puzzles make" in text
