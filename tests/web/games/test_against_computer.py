"""Beginning a game against the computer: by the page's form and by the API, and how such a game is marked."""

import re

import pytest

from tests.support.rules.built_in import VARIANTS
from tests.support.web.people import BLITZ

MIDDLE = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"


async def sent(person, status=303, **fields):
    async with person.http.post("/computer", data=fields, allow_redirects=False) as answer:
        text = await answer.text()
        assert answer.status == status, text
        return answer.headers.get("Location", text)


async def page(person, path, status=200):
    async with person.http.get(path) as answer:
        assert answer.status == status
        return await answer.text()


async def test_the_form_leads_to_the_board(anna):
    where = await sent(anna, variant="grand", level="5", color="black", clock="300+3")
    assert re.fullmatch(r"/[0-9A-Za-z]{10}", where)
    game = await anna.get(f"/api/games{where}")
    assert game["white"] == {"id": "", "name": "Computer (level 5)", "level": 5}
    assert game["black"] == await anna.get("/api/me")
    assert (game["variant"], game["rated"], game["status"]) == ("grand", False, "live")
    assert game["clock"]["initial_ms"] == [300_000, 300_000]


@pytest.mark.parametrize("variant", [*VARIANTS, *(f"{one.id}960" for one in VARIANTS.values() if one.chess960)])
async def test_every_variant_and_form_can_be_chosen(anna, variant):
    assert f' value="{variant}" selected>' in await page(anna, f"/computer?variant={variant}")
    game = await anna.get(f"/api/games{await sent(anna, variant=variant)}")
    assert f"{game['variant']}{'960' if game['chess960'] else ''}" == variant or game["variant"] == variant


async def test_it_begins_with_a_given_position(anna):
    shown = await page(anna, f"/computer?variant=chess&fen={MIDDLE.replace(' ', '%20')}")
    assert MIDDLE in shown
    game = await anna.get(f"/api/games{await sent(anna, variant='chess', fen=MIDDLE)}")
    assert game["start_fen"] == MIDDLE


async def test_a_position_that_none_begins_with_is_refused_in_words(anna):
    said = await sent(anna, 400, variant="chess", fen="4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    assert 'class="refusal" role="alert"' in said


@pytest.mark.parametrize(
    "fields",
    [{"level": "0"}, {"level": "9"}, {"level": "3 "}, {"color": "red"}, {"clock": "1+1"}, {"fen": "x" * 201}],
)
async def test_any_other_form_is_refused(anna, fields):
    await sent(anna, 400, **{"variant": "chess", **fields})


async def test_an_unknown_variant_is_not_found(anna):
    await sent(anna, 404, variant="ludo")
    await page(anna, "/computer?variant=ludo", 404)


async def test_programs_begin_one_too(anna):
    made = await anna.post("/api/games", 201, variant="chess", clock=BLITZ, computer=8, color="white")
    assert set(made) == {"id", "url", "color"}
    assert (await anna.get(f"/api/games/{made['id']}"))["black"]["level"] == 8


@pytest.mark.parametrize(
    ("asked", "refusal"),
    [
        ({"computer": 0}, "bad_request"),
        ({"computer": 9}, "bad_request"),
        ({"computer": 3, "players": "others"}, "bad_request"),
        ({"computer": 3, "to": "Ben"}, "bad_request"),
        ({"computer": 3, "move": "e2e4"}, "bad_request"),
        ({"computer": 3, "rated": True}, "computer_rated"),
        ({"computer": 3, "clock": {"kind": "correspondence", "days": 3}}, "computer_by_days"),
    ],
)
async def test_what_the_computer_does_not_play_is_refused(anna, asked, refusal):
    refused = await anna.post("/api/games", 400, **{"variant": "chess", "clock": BLITZ, **asked})
    assert refused["refusal"] == refusal


async def test_its_record_says_who_was_a_program(anna):
    where = await sent(anna, variant="chess", color="black", level="2")
    pgn = await page(anna, f"/api/games{where}.pgn")
    assert '[White "Computer (level 2)"]' in pgn
    assert '[WhiteType "program"]' in pgn
    assert '[BlackType "human"]' in pgn


async def test_lists_name_it_in_the_readers_language(anna):
    await sent(anna, variant="chess", level="6")
    anna.http.headers["Accept-Language"] = "es"
    assert "Ordenador (nivel 6)" in await page(anna, "/games/mine")
