"""Rated games and the pages that tell of them, from the form to the leaderboard."""

import json

import pytest

from server.realtime.play.player_ratings import RatingDisplay, count_finished
from server.storage.documents import to_head
from server.storage.protocols.ratings import Tally
from server.storage.summaries import finished_game_of
from server.web.accounts.accounts import ACCOUNTS
from server.web.site import SITE
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.pgn_texts import read_pgn
from tests.support.web.accounts import PASSWORD, go, register, sign_in
from tests.support.web.people import BLITZ

UNLIMITED = {"kind": "unlimited"}
ODDS = {**BLITZ, "black_initial": 60}
ENDGAME = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


async def text_of(person, path, status=200, **headers):
    async with person.http.get(path, headers=headers) as answer:
        assert answer.status == status, await answer.text()
        return await answer.text()


async def begin(white, black):
    """Both move twice: what is given up earlier moves no rating."""
    for ply, uci in enumerate(("e2e4", "e7e5", "g1f3", "b8c6")):
        await (white, black)[ply % 2].move(ply, uci)


async def won_by_anna(anna, ben, **terms):
    """A rated game that Ben has resigned; returns what it did, as Anna was told."""
    game = await anna.challenge(rated=True, **terms)
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        await begin(white, black)
        await black.send({"t": "resign", "id": 99})
        await white.until("over")
        return await white.until("rated")


@pytest.fixture
async def members(anna, ben):
    await register(anna, "Annabel")
    await register(ben, "Benedict")
    return anna, ben


async def test_a_rated_game_changes_both_ratings_and_is_told_at_once(members):
    told = await won_by_anna(*members)
    assert told["white"] == {"rating": 1500, "provisional": True, "change": 162}
    assert told["black"] == {"rating": 1500, "provisional": True, "change": -162}


async def test_a_profile_counts_games_against_people_and_names_no_favourite_of_two(members):
    anna, ben = members
    await won_by_anna(anna, ben)
    page = await text_of(ben, "/@/Annabel")
    assert "1 game against people · plays Chess most</p>" in page
    await won_by_anna(anna, ben, variant="crazyhouse")
    page = await text_of(ben, "/@/Annabel")
    assert "2 games against people</p>" in page


async def test_the_pgn_of_a_rated_game_has_clocks_ratings_and_what_became_of_them(members):
    anna, ben = members
    await won_by_anna(anna, ben)
    game = (await anna.get("/api/games?player=Annabel"))["games"][0]["id"]
    alone, all_of_them = await text_of(anna, f"/api/games/{game}.pgn"), await text_of(anna, "/api/games.pgn")
    assert all_of_them.strip() == alone.strip()
    read = read_pgn(alone, VARIANTS)
    told = {name: read.tags[name] for name in ("WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff")}
    assert told == {"WhiteElo": "1500", "BlackElo": "1500", "WhiteRatingDiff": "+162", "BlackRatingDiff": "-162"}
    assert [move.clock_ms for move in read.line][:2] == [300_000, 300_000]
    assert (read.tags["TimeControl"], read.tags["Termination"], read.result) == ("300+2", "resign", "1-0")
    assert read.tags["UTCDate"] == read.tags["Date"]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"clock": UNLIMITED}, "rated_clock"),
        ({"clock": ODDS}, "rated_odds"),
        ({"fen": ENDGAME}, "rated_start"),
    ],
)
async def test_a_rated_game_that_is_not_equal_is_refused_and_a_casual_one_is_not(members, asked, code):
    anna, _ben = members
    form = {"variant": "chess", "color": "white", "clock": BLITZ, **asked}
    assert (await anna.post("/api/games", 400, rated=True, **form))["code"] == code
    assert (await anna.post("/api/games", 201, rated=False, **form))["id"]


async def test_guests_neither_make_nor_join_rated_games(members, carla):
    anna, _ben = members
    form = {"variant": "chess", "clock": BLITZ, "rated": True}
    refused = await carla.post("/api/games", 403, **form)
    assert refused["code"] == "registered_only"
    assert await carla.get("/api/me") == {}
    game = await anna.challenge(rated=True)
    for _ in range(2):
        refused = await carla.post(f"/api/games/{game['id']}/join", 403, secret=game["secret"])
        assert refused["code"] == "registered_only"
        await carla.post("/api/guest")
    page = await text_of(carla, f"/{game['id']}")
    assert f'href="/sign-in?next=/{game["id"]}"' in page
    await register(carla, "Carola")
    await carla.join(game)


def linked(name):
    return f'<a class="person-link" href="/@/{name}">{name}</a>'


async def test_the_page_of_a_player_shows_what_was_played(members, carla):
    anna, ben = members
    await won_by_anna(anna, ben)
    await anna.challenge()
    running = await anna.challenge(rated=True)
    await ben.join(running)
    page = await text_of(carla, "/@/Annabel")
    assert "1662" in page
    assert "<svg" in page
    assert '<a href="/@/Benedict">Benedict</a>' in page
    assert f"Won against {linked('Benedict')}" in page
    assert f'href="/{running["id"]}" aria-labelledby="of-{running["id"]}"' in page
    assert f'id="of-{running["id"]}">Chess against {linked("Benedict")}</span></div> <span class="quiet">being' in page
    assert 'href="/games?player=Annabel"' in page
    assert f"Lost to {linked('Annabel')}" in await text_of(carla, "/@/Benedict")
    assert f"Victoria contra {linked('Benedict')}" in await text_of(carla, "/@/Annabel", **{"Accept-Language": "es"})


async def test_a_player_who_has_not_played_has_a_page_without_holes(members, carla):
    page = await text_of(carla, "/@/Annabel")
    assert "No games yet" in page
    assert "A challenge would make the first one." in page
    assert '<svg class="chart"' not in page


async def test_any_way_to_write_a_name_leads_to_the_one_page(members, carla):
    async with carla.http.get("/@/annabel", allow_redirects=False) as answer:
        assert (answer.status, answer.headers["Location"]) == (301, "/@/Annabel")
    assert "There is no player with this name" in await text_of(carla, "/@/Nobody", 404)
    assert "There is no player with this name" in await text_of(carla, "/@/%3Cb%3E", 404)


async def test_leaders_are_shown_for_active_categories_and_those_asked_for(members, carla):
    anna, ben = members
    await won_by_anna(anna, ben, clock={"kind": "realtime", "initial": 60, "increment": 0})
    page = await text_of(carla, "/players")
    assert "Chess, Bullet" in page
    assert page.index('href="/@/Annabel"') < page.index('href="/@/Benedict"')
    other = await text_of(carla, "/players?kind=grand&speed=classical")
    assert "Grand Chess, Classical" in other
    assert "Annabel" not in other
    for unknown in ("kind=nothing", "speed=unlimited", "speed=fast", "kind=grand%2B960"):
        await text_of(carla, f"/players?{unknown}", 404)
    await text_of(carla, f"/players?name={'x' * 21}", 400)


async def test_the_shuffled_form_has_leaders_of_its_own(members, carla):
    anna, ben = members
    game = await anna.challenge(rated=True, chess960=True)
    await ben.join(game)
    assert "Chess960, Blitz" in await text_of(carla, "/players?kind=chess%2B960&speed=blitz")


async def test_people_are_found_by_name_in_any_case(members, carla):
    assert 'href="/@/Annabel"' in await text_of(carla, "/players?name=aNN")
    nobody = await text_of(carla, "/players?name=%3Cscript%3E")
    assert "No registered player has a name" in nobody
    assert "<script>" not in nobody.split("</head>")[1]


async def test_a_deleted_player_is_on_no_page_and_the_others_keep_their_points(members, carla, server):
    anna, ben = members
    await won_by_anna(anna, ben)
    await go(anna, "/account/delete", password=PASSWORD)
    for path in ("/players", "/players?name=anna", "/@/Benedict"):
        assert "Annabel" not in await text_of(carla, path)
    assert "1338" in await text_of(carla, "/@/Benedict")
    await text_of(carla, "/@/Annabel", 404)
    assert await server.app[SITE].store.ratings.uncounted(1) == []


async def test_no_game_is_rated_for_a_deleted_account_however_late(members, server, monkeypatch):
    """A deleted account loses its running games; what was about to count them comes when it is forgotten."""
    anna, ben = members
    late = []

    async def keep(_self, game):
        late.append(finished_game_of(to_head(game)))

    monkeypatch.setattr(RatingDisplay, "_find", keep)
    game = await anna.challenge(rated=True)
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        await begin(white, black)
        await go(anna, "/account/delete", password=PASSWORD)
        await black.until("over")
    ratings, (due, *_) = server.app[SITE].store.ratings, [one for one in late if one.winner is not None]
    await server.app[ACCOUNTS].merges.carry_out_all()
    await ratings.count(due)
    assert await ratings.perfs(due.white) == []
    assert (await ratings.perf(due.black, due.category)).rating.rounded == 1662


async def test_a_game_given_up_at_once_moves_no_rating_and_stands_in_the_record(members, server):
    anna, ben = members
    game = await anna.challenge(rated=True)
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        await white.move(0, "e2e4")
        await black.move(1, "e7e5")
        await black.send({"t": "resign", "id": 99})
        await white.until("over")
    ratings = server.app[SITE].store.ratings
    await count_finished(ratings)
    (perf,) = await ratings.perfs((await anna.get("/api/me"))["id"])
    assert (perf.rating.rounded, perf.rating.games, perf.tally.won) == (1500, 0, 1)
    assert await ratings.changes(game["id"]) == {}


async def test_ones_own_data_hold_the_ratings(members):
    anna, ben = members
    await won_by_anna(anna, ben)
    data = json.loads(await text_of(anna, "/account/export"))
    (perf,) = data["standings"]
    assert (perf["variant"], perf["speed"], perf["won"], perf["rated_games"]) == (
        "chess",
        "blitz",
        1,
        1,
    )
    assert perf["rating"] == pytest.approx(1662.2, abs=0.1)


async def test_a_rated_game_that_is_too_short_says_so_and_is_not_listed_as_rated(members):
    anna, ben = members
    for moves, unrated in ((2, True), (4, None)):
        game = await anna.challenge(rated=True)
        await ben.join(game)
        async with anna.follow(game) as white, ben.follow(game) as black:
            for ply, uci in enumerate(("e2e4", "e7e5", "g1f3", "b8c6")[:moves]):
                await (white, black)[ply % 2].move(ply, uci)
            await black.send({"t": "resign", "id": 99})
            assert (await white.until("over"))["ended"].get("unrated") is unrated
        async with anna.follow(game) as white:
            assert (await white.until("snapshot"))["ended"].get("unrated") is unrated
    for path in ("/@/Annabel", "/games"):
        page = await text_of(anna, path)
        assert page.count("· not rated: too short") == page.count("· rated<") + page.count("· rated ") == 1, path


async def test_what_a_guest_has_won_counts_for_the_account_that_they_sign_in_to(members, carla, server):
    anna, ben = members
    await go(anna, "/sign-out")
    game = await anna.challenge()
    guest = (await anna.get("/api/me"))["id"]
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        await begin(white, black)
        await black.send({"t": "resign", "id": 99})
        await white.until("over")
    ratings = server.app[SITE].store.ratings
    await count_finished(ratings)
    await sign_in(anna, "Annabel")
    mine = (await anna.get("/api/me"))["id"]
    assert mine != guest
    assert await ratings.perfs(guest) == []
    (perf,) = await ratings.perfs(mine)
    assert perf.tally == Tally(won=1)
    (score,) = await ratings.scores(mine, 10)
    assert (score.name, score.tally) == ("Benedict", Tally(won=1))
    assert f"Won against {linked('Benedict')}" in await text_of(carla, "/@/Annabel")


async def test_people_are_found_by_letters_that_look_like_another_with_the_next_one(anna, ben, carla):
    for person, name in ((anna, "Arnold"), (ben, "Amelie")):
        await register(person, name)
    found = await text_of(carla, "/players?name=ar")
    assert 'href="/@/Arnold"' in found
    assert 'href="/@/Amelie"' not in found
