"""Searching finished games by page, by JSON and as one file; what a search may say and what it may not."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from server.games.clocks.time_control import DAY_MS
from server.rules.variant.pieces import Color
from server.storage.protocols.archive import Page, Search
from server.web.archive.search import LOOK_S, SearchForm, look, midnight, question
from server.web.clock_words import day_of
from server.web.rendering.problems import Problem
from tests.support.rules.built_in import VARIANTS
from tests.support.web.importing import fill


async def ids(person, query=""):
    return [game["id"] for game in (await person.get(f"/api/games{query}"))["games"]]


async def test_games_are_found_newest_first_by_what_is_asked(anna):
    ann = await fill(anna, 3)
    cid = await fill(anna, 2, white="Cid", black="Ann", result="1/2-1/2")
    assert await ids(anna, "?player=ann&color=white") == [game["id"] for game in reversed(ann)]
    assert await ids(anna, "?player=ANN&opponent=cid") == [game["id"] for game in reversed(cid)]
    assert await ids(anna, "?opponent=cid&result=draw") == [game["id"] for game in reversed(cid)]
    assert await ids(anna, "?player=Ann&result=won") == [game["id"] for game in reversed(ann)]
    assert await ids(anna, "?opponent=Ann&result=lost") == [game["id"] for game in reversed(ann)]
    assert await ids(anna, "?player=bo&since=2020-01-02&until=2020-01-02") == [ann[1]["id"]]
    assert await ids(anna, "?variant=grand") == await ids(anna, "?rated=yes") == await ids(anna, "?source=played") == []
    assert len(await ids(anna, "?source=imported&start=usual&rated=no&reason=imported")) == 5


async def test_a_game_played_here_is_found_when_it_is_over_and_not_before(anna, ben):
    game = await anna.challenge()
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        await white.until("snapshot")
        await black.until("snapshot")
        for ply, (socket, uci) in enumerate(zip((white, black) * 2, ["f2f3", "e7e5", "g2g4", "d8h4"], strict=True)):
            assert await ids(anna) == []
            await socket.move(ply, uci)
        await white.until("over")
    (found,) = (await anna.get("/api/games"))["games"]
    assert (found["id"], found["result"], found["reason"], found["imported"]) == (game["id"], "0-1", "checkmate", False)
    assert found["white"] == (await anna.get("/api/me"))["name"]


async def test_a_clock_reads_as_everywhere_else(anna, ben):
    game = await anna.challenge(clock={"kind": "realtime", "initial": 10_000, "increment": 20})
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        await white.move(0, "e2e4")
        await black.until("moved")
        await black.move(1, "e7e5")
        await white.command(t="resign")
    assert "166:40+20" in await (await anna.http.get("/games")).text()


async def test_each_page_of_results_links_to_the_next(anna):
    await fill(anna, 25)
    page = await (await anna.http.get("/games?player=ann&result=white")).text()
    assert len(re.findall('<li class="game-line"', page)) == 20
    way = re.search('rel="next" href="([^"]+)"', page)[1].replace("&amp;", "&")
    assert set(parse_qs(urlsplit(way).query)) == {"player", "result", "before"}
    page = await (await anna.http.get(way)).text()
    assert len(re.findall('<li class="game-line"', page)) == 5
    assert 'rel="next"' not in page
    answer = await anna.get("/api/games?player=ann")
    assert len((await anna.get(answer["next"]))["games"]) == 5


async def test_keys_that_others_added_to_a_link_are_ignored_by_pages_and_refused_by_the_api(anna):
    (game,) = await fill(anna, 1)
    for path in ("/games?utm_source=mail&player=Ann", "/players?fbclid=x"):
        async with anna.http.get(path) as answer:
            assert answer.status == 200, path
    async with anna.http.get("/games?utm_source=mail&player=Ann") as answer:
        assert f'href="/{game["id"]}"' in await answer.text()
    async with anna.http.get("/api/games?utm_source=mail") as answer:
        assert (answer.status, (await answer.json())["code"]) == (400, "bad_search")


async def test_the_page_needs_no_script_and_keeps_what_was_asked(anna):
    await fill(anna, 1, white="<i>Eve</i>")
    page = await (await anna.http.get("/games?player=%3Ci%3EEve%3C/i%3E&result=won&since=2019-01-01")).text()
    assert 'value="&lt;i&gt;Eve&lt;/i&gt;"' in page
    assert "<i>Eve" not in page
    assert '<option value="won" selected>' in page
    assert "<details open>" in page
    assert 'data-board="rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"' in page
    assert "No games found" in await (await anna.http.get("/games?player=nobody")).text()


@pytest.mark.parametrize(
    "query",
    [
        "result=won",
        "color=green",
        "variant=nonesuch",
        "since=2020-02-31",
        "until=soon",
        "before=x",
        "rated=maybe",
    ],
)
async def test_an_impossible_search_is_refused_with_the_reason(anna, query):
    async with anna.http.get(f"/api/games?{query}") as answer:
        assert answer.status == 400
        assert (await answer.json())["message"]
    async with anna.http.get(f"/games?{query}") as answer:
        assert answer.status == 400
        assert 'role="alert"' in await answer.text()


async def test_all_games_of_a_search_come_as_one_file(anna):
    await fill(anna, 3)
    await fill(anna, 1, white="Other")
    async with anna.http.get("/api/games.pgn?player=ann") as answer:
        assert answer.headers["Content-Disposition"].startswith("attachment")
        file = await answer.text()
    assert file.count('[White "Ann"]') == file.count("1. e4 e5 1-0") == 3
    assert re.findall(r'\[Date "([^"]+)"\]', file) == ["2020.01.03", "2020.01.02", "2020.01.01"]


def test_an_opponent_alone_is_a_player_seen_from_the_other_side():
    form = SearchForm.model_validate({"opponent": " Bo ", "color": "white", "result": "won"})
    assert question(form, VARIANTS) == Search(player="Bo", color=Color.BLACK, outcome="lost")


def test_days_are_whole():
    search = question(SearchForm.model_validate({"since": "1970-01-02", "until": "1970-01-02"}), VARIANTS)
    assert (search.since, search.until) == (DAY_MS, 2 * DAY_MS)
    assert midnight("0001-01-01") < midnight("1851-06-21") < 0
    assert day_of(midnight("1851-06-21")) == "1851-06-21"
    with pytest.raises(Problem, match="bad_search"):
        midnight("2021-02-29")


class Steps:
    """An archive that answers page after page, as written down."""

    def __init__(self, *pages):
        self.pages = list(pages)
        self.asked = []

    async def page(self, search, limit, before=""):
        self.asked.append((limit, before))
        return self.pages.pop(0)


async def test_a_short_page_is_filled_up_as_long_as_there_is_time():
    archive = Steps(Page(["a"], "k3"), Page([], "k2"), Page(["b", "c"], "k1"))
    assert await look(archive, Search(), 3, "", lambda: 0.0) == Page(["a", "b", "c"], "k1")
    assert archive.asked == [(3, ""), (2, "k3"), (2, "k2")]


async def test_a_short_page_is_shown_when_the_time_is_over():
    now = iter([0.0, LOOK_S + 0.001])
    archive = Steps(Page([], "k3"), Page(["never"], None))
    assert await look(archive, Search(), 3, "", lambda: next(now)) == Page([], "k3")
