"""Bringing games that were played offline: judged by the core, kept once, the sender's own, and within limits."""

import pytest

from server.games.game_id import GAME_IDS, own_id
from server.realtime.runtime.ids import new_id
from server.web.budgets.buckets import RateLimit
from server.web.site import SITE
from tests.support.games import computer_game
from tests.support.rules.built_in import VARIANTS
from tests.support.storage.stored_games import random_steps
from tests.support.web.people import BLITZ, FOOLS_MATE

ID = "0fflineGaz"
CHESS = VARIANTS["chess"].start_fen


def body(**changes):
    usual = {"variant": "chess", "fen": CHESS, "color": "white", "computer": 3, "moves": ["e2e4", "e7e5"]}
    return {**usual, "begun": 60_000, "played": 30_000, **changes}


async def bring(person, status=200, game=ID, **changes):
    return await person.post(f"/api/games/{game}/offline", status, **body(**changes))


async def test_an_unfinished_game_goes_on_here(anna, clock):
    answer = await bring(anna, color="black")
    assert answer == {"id": ID, "url": f"/{ID}", "status": "live"}
    game = await anna.get(f"/api/games/{ID}")
    assert game["white"] == {"id": "", "name": "Computer (level 3)", "level": 3}
    assert game["black"] == await anna.get("/api/me")
    assert (game["rated"], game["status"], game["created"]) == (False, "live", clock() - 60_000)
    async with anna.follow({"id": ID}) as board:
        await board.until("snapshot")
        assert (await board.command(t="move", ply=2, uci="g1f3", computer=1))["t"] == "ok"


async def test_a_finished_game_is_in_the_archive_and_can_be_exported(anna, clock):
    await bring(anna, moves=FOOLS_MATE)
    (found,) = (await anna.get("/api/games"))["games"]
    assert (found["id"], found["result"], found["ended"]) == (ID, "0-1", clock() - 30_000)
    async with anna.http.get(f"/api/games/{ID}.pgn") as pgn:
        assert '[BlackType "program"]' in await pgn.text()


async def test_whoever_is_refused_is_the_same_guest_the_next_time(anna, ben):
    await bring(anna)
    await bring(ben, 403)
    me = await ben.get("/api/me")
    assert me["name"]
    await bring(ben, 403, moves=["e2e5"])
    assert await ben.get("/api/me") == me


@pytest.mark.parametrize("variant", sorted(VARIANTS))
async def test_games_of_every_variant_arrive_whole(anna, variant):
    over = random_steps(computer_game(variant=variant), 80)[-1]
    moves = [ply.uci for ply in over.plies]
    await bring(anna, variant=variant, fen=VARIANTS[variant].start_fen, moves=moves)
    game = await anna.get(f"/api/games/{ID}")
    assert [(one["uci"], one["san"]) for one in game["moves"]] == [(ply.uci, ply.san) for ply in over.plies]


async def test_sending_it_again_keeps_one_game_and_sending_more_goes_on_with_it(anna):
    for _ in range(3):
        await bring(anna)
    await bring(anna, moves=["e2e4", "e7e5", "g1f3", "b8c6"], end="resigned")
    for _ in range(2):
        await bring(anna, moves=["e2e4", "e7e5", "g1f3", "b8c6"], end="resigned")
    (found,) = (await anna.get("/api/games"))["games"]
    assert (found["id"], found["plies"], found["result"]) == (ID, 4, "0-1")
    await bring(anna)
    assert len((await anna.get(f"/api/games/{ID}"))["moves"]) == 4


@pytest.mark.row("F7")
async def test_a_forged_line_is_refused_with_the_move_and_not_stored(anna):
    refused = await bring(anna, 403, moves=["e2e4", "e7e5", "e1e3"])
    assert (refused["refusal"], refused["ply"]) == ("illegal", 2)
    assert refused["message"] == "Half-move 3 of this line cannot be played: e1e3 is not legal here."
    await bring(anna, 403, moves=[*FOOLS_MATE, "a2a3"])
    await bring(anna, 403, moves=FOOLS_MATE, end="computer_resigned")
    await anna.get(f"/api/games/{ID}", 404)


async def test_of_a_line_that_goes_on_wrongly_nothing_is_played(anna):
    await bring(anna)
    refused = await bring(anna, 403, moves=["e2e4", "e7e5", "g1f3", "e5e3"])
    assert (refused["code"], refused["ply"]) == ("wrong_line", 3)
    assert [move["uci"] for move in (await anna.get(f"/api/games/{ID}"))["moves"]] == ["e2e4", "e7e5"]


async def test_nobody_takes_the_seat_of_somebody_else(anna, ben):
    await bring(anna)
    refused = await bring(ben, 403, moves=["e2e4", "e7e5", "g1f3"])
    assert refused["refusal"] == "other_line"
    await bring(anna, 403, moves=["d2d4"])
    assert len((await anna.get(f"/api/games/{ID}"))["moves"]) == 2


async def test_no_browser_names_what_is_no_offline_game(anna, ben):
    """The id of a game that is to come, such as that of a seek, was taken beforehand, and both players landed there."""
    seek = (await anna.post("/api/seeks", 201, variants=["chess"], clock=BLITZ))["seek"]["id"]
    answer = await bring(ben, game=seek)
    assert answer["id"] == seek[:-1] + "z" != seek
    assert await bring(ben, game=seek) == answer, "a browser with an older script sends it again"
    await anna.get(f"/api/games/{seek}", 404)
    assert all(new_id()[-1] != "z" for _ in range(2_000))
    assert own_id(GAME_IDS - 1)[-1] != "z"


async def test_a_game_that_was_begun_here_with_a_clock_is_not_played_on_without_one(anna):
    clock = {"kind": "realtime", "initial": 300, "increment": 2}
    made = await anna.post("/api/games", 201, variant="chess", color="white", computer=3, clock=clock)
    assert (await bring(anna, game=made["id"]))["id"] != made["id"]
    assert (await anna.get(f"/api/games/{made['id']}"))["moves"] == []


@pytest.mark.parametrize(
    "changes",
    [
        {"moves": []},
        {"moves": ["e2e4"] * 2_001},
        {"moves": ["e2e4" * 9]},
        {"computer": 0},
        {"computer": 9},
        {"color": "random"},
        {"end": "checkmate"},
        {"begun": -1},
        {"begun": 1, "played": 2},
        {"begun": 10**12},
        {"variant": "ludo"},
        {"chess960": True, "variant": "grand", "fen": VARIANTS["grand"].start_fen},
        {"fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1"},
        {"rated": True},
    ],
)
async def test_any_other_form_is_refused(anna, changes):
    await bring(anna, 400, **changes)
    await anna.get(f"/api/games/{ID}", 404)


async def test_what_one_person_brings_in_a_day_is_bounded_however_short_the_games(anna, server, clock):
    server.app[SITE].limits.brought = RateLimit(100, 86_400)
    for number in range(5):
        await bring(anna, game=f"{number}fflineGaz")
    assert (await bring(anna, 429))["refusal"] == "rate"
    clock.turn(86_400_000)
    await bring(anna)
