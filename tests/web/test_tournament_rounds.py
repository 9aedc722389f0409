"""A Swiss by its pages and files: what was played in which round, for everybody and for programs."""

import csv
import io
import json

import pytest

from server.rules.variant.pieces import Color
from tests.support.web.accounts import go, page_of, register
from tests.support.web.cup import Cup

TERMS = {"key": "abcdefgh12", "variant": "chess", "clock": "180+2", "starts": "5", "lasts": "30"}
SWISS = {**TERMS, "format": "swiss", "rounds": "3", "rest": "0", "name": "Club <cup>"}


@pytest.fixture
async def cup(server, anna, ben, carla):
    """Anna's Swiss, in which Ben and Carla have played the first round."""
    for person, name in ((anna, "Anna"), (ben, "Ben"), (carla, "Carla")):
        await register(person, name)
    made = Cup(server, await go(anna, "/tournaments", **SWISS))
    for person in (ben, carla):
        await go(person, f"{made.path}/join")
    await made.begin()
    return made


async def test_the_table_and_the_games_are_files(cup, anna):
    (pairing,) = await cup.win(Color.WHITE)
    async with anna.http.get(f"{cup.path}.csv") as answer:
        assert answer.content_type == "text/csv"
        assert answer.headers["Content-Disposition"] == 'attachment; filename="Club-cup.csv"'
        head, first, second = list(csv.reader(io.StringIO(await answer.text())))
    assert head[:5] == ["Rank", "Number", "Name", "Rating", "Points"]
    assert head[-1] == "Round 1"
    view = await cup.live.look(cup.id)
    winner, loser = (view.entrants[one].person.name for one in (pairing.white, pairing.black))
    assert (first[2], first[4], first[-1][-2:]) == (winner, "1", "w1")
    assert (second[2], second[4], second[-1][-2:]) == (loser, "0", "b0")
    async with anna.http.get(f"{cup.path}.trf") as answer:
        assert [line[:3] for line in (await answer.text()).splitlines()].count("001") == 2
    async with anna.http.get(f"{cup.path}.pgn") as answer:
        pgn = await answer.text()
    assert '[Event "Club <cup>"]' in pgn
    assert '[Round "1.1"]' in pgn
    assert f'[White "{winner}"]' in pgn
    assert "1. e4" in pgn
    assert pgn.count("[Event ") == 1


async def test_the_screen_of_a_hall_shows_the_table_then_the_boards_and_begins_again(cup, anna, visitor):
    stranger = await visitor()
    screen = cup.path.replace("/tournament/", "/screen/")
    table, boards, again = [await page_of(stranger, f"{screen}?slide={number}") for number in range(3)]
    assert "Club &lt;cup&gt;" in table
    assert table.count("<li>") == 2
    assert "<h2>Standings <small>1/2</small></h2>" in table
    assert "<h2>Boards <small>2/2</small></h2>" in boards
    assert boards.count("<li>") == 1
    assert ('data-next="1"' in again, again.count("<li>")) == (True, 2)
    await cup.win(Color.WHITE)
    boards = await page_of(stranger, f"{screen}?slide=1")
    assert '<b class="result">1 – 0</b>' in boards
    assert f'href="{screen}"' in await page_of(anna, cup.path)
    async with stranger.http.get(f"{stranger.site}{screen}?slide=x") as answer:
        assert answer.status == 400
    async with stranger.http.get(f"{stranger.site}/screen/{'A' * 10}") as answer:
        assert answer.status == 404


async def test_all_pairings_are_there_as_json(cup, anna):
    (pairing,) = await cup.win(Color.WHITE)
    said = json.loads(await page_of(anna, f"{cup.path}.json"))
    view = await cup.live.look(cup.id)
    winner, loser = (view.entrants[one].person.name for one in (pairing.white, pairing.black))
    assert said["pairings"] == [
        {"round": 1, "board": 1, "white": winner, "black": loser, "game": pairing.game, "result": "1-0"}
    ]
    assert [(one["rank"], one["name"], one["points"]) for one in said["table"]] == [(1, winner, 1.0), (2, loser, 0.0)]
    assert (said["format"], said["rounds"], said["name"]) == ("swiss", 3, "Club <cup>")


async def test_an_arena_has_its_table_and_games_as_files_but_no_report(anna, ben):
    await register(anna, "Anna")
    await register(ben, "Ben")
    path = await go(anna, "/tournaments", **TERMS)
    assert 'id="files" hidden' in await page_of(anna, path)
    await go(ben, f"{path}/join")
    page = await page_of(anna, path)
    assert f'href="{path}.csv"' in page
    assert f'href="{path}.trf"' not in page
    table = await page_of(anna, f"{path}.csv")
    assert table == "Rank,Number,Name,Rating,Points,Performance,Games\n1,1,Ben,1500,0,,0\n"
    assert await page_of(anna, f"{path}.pgn") == ""
    async with anna.http.get(f"{path}.trf") as answer:
        assert answer.status == 404


async def test_the_rounds_say_who_plays_whom_and_only_the_organiser_corrects_how_it_ended(cup, anna, ben, carla):
    playing = await page_of(ben, f"{cup.path}/rounds")
    assert "Round 1 of 3" in playing
    assert "in play" in playing
    (pairing,) = await cup.win(Color.WHITE)
    said = {"game": pairing.game, "result": "draw"}
    assert "White won" in await page_of(ben, f"{cup.path}/rounds?round=1")
    assert f'action="{cup.path}/result"' not in await page_of(ben, f"{cup.path}/rounds")
    assert (await go(ben, f"{cup.path}/result", **said))[0] == 403
    page = await page_of(anna, f"{cup.path}/rounds")
    assert f'action="{cup.path}/result"' in page
    assert '<option value="white" selected>' in page
    assert await go(anna, f"{cup.path}/result", **said) == f"{cup.path}/rounds?round=1"
    page = await page_of(carla, f"{cup.path}/rounds")
    assert "½ – ½" in page
    assert "changed round 1, " in page
    assert {one.points for one in (await cup.live.look(cup.id)).sheets} == {1}
    status, page = await go(anna, f"{cup.path}/result", game="0000000000", result="draw")
    assert status == 403
    assert "That game has no result yet." in page
    assert "Round 1 of 3" in page
    assert (await go(anna, f"{cup.path}/result", game=pairing.game, result="1-0"))[0] == 400


async def test_rounds_before_the_first_one_and_of_an_arena(server, anna):
    await register(anna, "Anna")
    path = await go(anna, "/tournaments", **SWISS, no_show="10")
    assert "No round has begun." in await page_of(anna, f"{path}/rounds")
    assert "Players have 10 minutes to come to the board." in await page_of(anna, path)
    assert "from 1 to 60 minutes" in (await go(anna, "/tournaments", **{**SWISS, "key": "x" * 8, "no_show": "90"}))[1]
    arena = await go(anna, "/tournaments", **{**TERMS, "key": "abcdefgh13"})
    async with anna.http.get(f"{arena}/rounds") as answer:
        assert answer.status == 404
