"""All of one's running games: as a page, as JSON, on the front page and on a profile."""

import json
from dataclasses import replace

import pytest

from server.games.changes.offers import MakeOffer
from server.games.changes.pausing import ResumeReady
from server.games.clocks.time_control import TimeControl
from server.games.game import play
from server.games.player import Player
from server.games.reminders import Remind
from server.games.state import OfferKind
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable
from server.web.games.your_games import BESIDE, MAX_AT_ONCE, WITH_BOARD
from server.web.site import SITE
from tests.support.games import live_game, moved
from tests.support.web.accounts import register
from tests.support.web.page_pauses import pauses_counted

DAYS = TimeControl.correspondence(3)


async def text(person, path):
    async with person.http.get(path) as answer:
        assert answer.status == 200
        return await answer.text()


async def games_of(server, person, number, moves):
    """So many correspondence games in which `person` has White, after `moves`."""
    me = await person.get("/api/me")
    game = moved(live_game(control=DAYS), moves)
    store, now = server.app[SITE].store, server.app[SITE].now()
    for one in range(number):
        clock = replace(game.clock, since=now + one)
        named = f"{moves.count(' ')}{one:09}"
        player = Player(me["id"], me["name"])
        await store.create(replace(game, id=named, white=player, created=now - one, clock=clock))


async def test_a_game_that_waits_is_not_hidden_by_newer_ones_that_do_not(anna, server):
    await anna.post("/api/guest")
    await games_of(server, anna, 1, "e2e4 e7e5")
    await games_of(server, anna, 12, "e2e4 e7e5 g1f3")
    found = (await anna.get("/api/me/games"))["games"]
    assert (len(found), [one["your_turn"] for one in found[:2]]) == (13, [True, False])
    assert (found[0]["opponent"], found[0]["clock"], found[0]["color"]) == ("Boris", "3d", "white")
    assert 0 < found[0]["left"] <= 3 * 86_400_000
    page = await text(anna, "/")
    assert page.index("your turn") < page.index("their turn")
    assert "5 more" in page
    assert "your turn · 3 d" in page, "as the clock of the game says"
    listed = await text(anna, "/games/mine")
    assert "Your turn in 1 game" in listed
    assert "12 more games in progress" in listed
    assert "3 days left" in listed


async def test_guests_are_told_where_their_games_are_kept(anna, server):
    told = "listed in the browser in which they were begun"
    assert told in await text(anna, "/games/mine"), "nobody knows them yet, or their cookie is gone"
    await anna.post("/api/guest")
    await games_of(server, anna, 1, "e2e4 e7e5")
    assert told in await text(anna, "/games/mine")


async def test_moves_pass_between_the_games_of_a_long_page(anna, server, monkeypatch):
    await anna.post("/api/guest")
    await games_of(server, anna, 20, "e2e4 e7e5")
    pieces = pauses_counted(monkeypatch)
    assert (await text(anna, "/games/mine")).count('class="game-line"') == 20
    assert len(pieces) > 10 * 20


async def test_further_games_are_mentioned_only_below_others(anna, server):
    await anna.post("/api/guest")
    await games_of(server, anna, 1, "e2e4 e7e5 g1f3")
    listed = await text(anna, "/games/mine")
    assert "1 game in progress" in listed
    assert "more" not in listed.split("<main")[1]


async def test_an_adjourned_game_waits_for_no_move(anna, server):
    await anna.post("/api/guest")
    me = await anna.get("/api/me")
    player = Player(me["id"], me["name"])
    game = replace(moved(live_game(), "e2e4 e7e5"), white=player)
    for color in (Color.WHITE, Color.BLACK):
        game, _ = play(game, MakeOffer(color, OfferKind.ADJOURN), 0)
    game, _ = play(game, ResumeReady(Color.BLACK), 1)
    await server.app[SITE].store.create(game)
    for path in ("/", "/games/mine"):
        page = await text(anna, path)
        assert "adjourned; your opponent is ready to resume" in page
        assert "their turn" not in page
        assert "your turn" not in page
    (found,) = (await anna.get("/api/me/games"))["games"]
    assert (found["status"], found["adjourned"]) == ("adjourned", "opponent")


async def test_a_paused_game_waits_for_nobody(anna, server):
    await anna.post("/api/guest")
    me = await anna.get("/api/me")
    game = replace(moved(live_game(control=DAYS), "e2e4 e7e5"), white=Player(me["id"], me["name"]))
    for color in (Color.WHITE, Color.BLACK):
        game, _ = play(game, MakeOffer(color, OfferKind.PAUSE), 0)
    await server.app[SITE].store.create(game)
    for path in ("/", "/games/mine"):
        page = await text(anna, path)
        assert "paused" in page
        assert "your turn" not in page
    (found,) = (await anna.get("/api/me/games"))["games"]
    assert (found["status"], found["adjourned"], found["your_turn"], found["left"]) == (
        "adjourned",
        "paused",
        False,
        None,
    )


async def test_a_game_whose_opponent_is_out_of_time_waits_for_the_claim(anna, server):
    await anna.post("/api/guest")
    me = await anna.get("/api/me")
    game = replace(moved(live_game(control=DAYS), "e2e4 e7e5 g1f3"), white=Player(me["id"], me["name"]))
    game = replace(game, flags_by_hand=(True, False))
    game, _ = play(game, Remind(), game.move_due)
    await server.app[SITE].store.create(game)
    for path in ("/", "/games/mine"):
        assert "their time is up; you can claim the game" in await text(anna, path)
    (found,) = (await anna.get("/api/me/games"))["games"]
    assert (found["claimable"], found["your_turn"], found["left"]) == (True, False, 0)


async def test_a_visitor_without_a_session_has_no_games(anna):
    assert await anna.get("/api/me/games") == {"games": []}
    assert "You have no games in progress" in await text(anna, "/games/mine")


async def test_a_game_of_a_variant_that_the_host_has_taken_away_hides_no_other(anna, server):
    await anna.post("/api/guest")
    await games_of(server, anna, 1, "e2e4 e7e5")
    me, game = await anna.get("/api/me"), live_game(control=DAYS)
    gone = replace(game.terms, variant=replace(game.terms.variant, id="gone"))
    player = Player(me["id"], me["name"])
    await server.app[SITE].store.create(replace(game, id="gonevarian", terms=gone, white=player))
    page = await text(anna, "/games/mine")
    for variant in ("gone", "Chess"):
        assert f'>{variant} against <a class="person-link" href="/@/Boris">Boris</a>' in page
    tiles = (await text(anna, "/")).split('class="game-tiles"')[1].split("</ul>")[0]
    assert ("<span>gone</span>" in tiles, "<span>Chess</span>" in tiles, tiles.count("Boris")) == (True, True, 2)
    assert tiles.count("small-board") == 1, "the page cannot draw a variant that it does not know"


async def test_other_games_stand_beside_a_board_only_if_one_of_them_waits_for_the_reader(anna, ben, server):
    await anna.post("/api/guest")
    here = await anna.challenge(variant="chess", clock={"kind": "correspondence", "days": 3})
    await games_of(server, anna, 2, "e2e4 e7e5 g1f3")
    page = await text(anna, f"/{here['id']}")
    assert "games_beside" not in page, "nobody waits for them elsewhere"
    await games_of(server, anna, 9, "e2e4 e7e5")
    server.app[SITE].live.running_games.drop_lists([(await anna.get("/api/me"))["id"]])
    for player, others in ((anna, BESIDE), (ben, 0)):
        page = await text(player, f"/{here['id']}")
        assert page.count('class="game-tile waits"') == others
        assert ("games_beside.js" in page or "games_beside-" in page) is bool(others)
    found = json.loads(facts(await text(anna, f"/{here['id']}")))["beside"]
    assert [one["turn"] for one in found["games"]] == [1] * BESIDE
    assert here["id"] not in [one["id"] for one in found["games"]]
    assert found["variants"]["chess"]["files"] == 8


async def test_games_by_the_minute_do_not_stand_beside_a_board(anna, ben):
    here = await anna.challenge(variant="chess", clock={"kind": "correspondence", "days": 3})
    await ben.join(await anna.challenge(variant="chess"))
    assert "game-tile" not in await text(anna, f"/{here['id']}")


async def test_while_the_games_cannot_be_read_a_board_is_shown_without_others(anna, server, monkeypatch):
    await anna.post("/api/guest")
    here = await anna.challenge(variant="chess")
    await games_of(server, anna, 2, "e2e4 e7e5")

    async def away(_):
        raise Unavailable("the store is away")

    monkeypatch.setattr(server.app[SITE].store, "running_of", away)
    server.app[SITE].live.running_games.drop_lists([(await anna.get("/api/me"))["id"]])
    assert "games_beside" not in await text(anna, f"/{here['id']}")


def facts(page):
    return page.split('id="page">')[1].split("</script>")[0]


@pytest.mark.parametrize("path", ["/api/me/games", "/games/mine"])
async def test_five_hundred_games_are_read_at_once_and_none_is_loaded(anna, server, path, monkeypatch):
    await anna.post("/api/guest")
    await games_of(server, anna, 500, "e2e4 e7e5")
    store, asked = server.app[SITE].store, []

    def counted(name):
        real = getattr(type(store), name)

        def ask(self, *arguments):
            asked.append(name)
            return real(self, *arguments)

        return ask

    for name in ("running_of", "load"):
        monkeypatch.setattr(type(store), name, counted(name))
    found = await text(anna, path)
    assert asked == ["running_of"]
    if path.startswith("/api/"):
        assert found.count("Boris") == 500
    else:
        assert found.count("Boris") == 2 * 500, "the page leads to Boris, too"
        assert found.count("/board.svg?") == WITH_BOARD


async def test_a_profile_says_whose_turn_it_is(anna, server):
    await anna.post("/api/guest")
    await register(anna, "Annabel")
    await games_of(server, anna, 1, "e2e4 e7e5")
    await games_of(server, anna, 1, "e2e4 e7e5 g1f3")
    page = await text(anna, "/@/Annabel")
    assert "Annabel to move" in page
    assert "Boris to move" in page


async def test_a_shuffled_start_of_ones_own_is_played_shuffled(anna):
    """The rights in every way they are written: by the outer rook, and by the rooks' files."""
    for rights in ("KQkq", "HCch"):
        fen = f"bqrnkbnr/pppppppp/8/8/8/8/PPPPPPPP/BQRNKBNR w {rights} - 0 1"
        made = await anna.challenge(fen=fen, chess960=True)
        game = await anna.get(f"/api/games/{made['id']}")
        assert game["chess960"] is True


async def test_a_player_with_two_hundred_games_begins_no_other_until_one_is_over(anna, ben, server):
    for person in (anna, ben):
        await person.post("/api/guest")
    clock = {"kind": "correspondence", "days": 3}
    offered = await ben.post("/api/games", 201, variant="chess", clock=clock)
    waiting = (await ben.post("/api/seeks", 201, variants=["chess"], clock=clock))["seek"]
    await games_of(server, anna, MAX_AT_ONCE - 1, "e2e4 e7e5")
    last = await anna.post("/api/games", 201, variant="chess", clock=clock)
    for path, asked in (
        ("/api/games", {"variant": "chess", "clock": clock}),
        (f"/api/games/{offered['id']}/join", {"secret": offered["secret"]}),
        ("/api/seeks", {"variants": ["grand"], "clock": clock}),
        (f"/api/seeks/{waiting['id']}/accept", {}),
    ):
        assert (await anna.post(path, 409, **asked))["code"] == "games_at_once"
    async with anna.follow(last) as socket:
        await socket.send({"t": "abort", "id": 1})
        await socket.until("ok")
    await anna.post(f"/api/games/{offered['id']}/join", secret=offered["secret"])
