"""No help for those who play a game, by any door, until it is over; all others, and other games, have everything."""

import shutil
from contextlib import asynccontextmanager
from urllib.parse import quote

import pytest

from server.rules.catalogue import UNOFFERED
from server.rules.movegen.legal import play as moved
from server.rules.notation.fen import format_fen, start_position
from server.rules.notation.uci import parse_uci
from server.web.site import SITE
from tests.support.rules.built_in import VARIANTS
from tests.support.web.accounts import register
from tests.support.web.in_process import InProcess
from tests.support.web.people import BLITZ, Person, play

DAYS = {"kind": "correspondence", "days": 3}
FOUR = ["e2e4", "e7e5", "g1f3", "b8c6"]
TEN = [*FOUR, "f1c4", "f8c5", "c2c3", "g8f6", "d2d3", "d7d6"]


def fen_after(moves, variant="chess"):
    position = start_position(VARIANTS[variant])
    for uci in moves:
        position = moved(position, parse_uci(position, uci))
    return format_fen(position)


@asynccontextmanager
async def playing(anna, ben, moves=FOUR, clock=DAYS, variant="chess"):
    """A game that Anna and Ben are playing."""
    game = await anna.challenge(clock=clock, variant=variant)
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        await play([white, black], moves)
        yield game["id"], white


async def looks_up(person, status, moves=(), start=None, variant="chess"):
    asked = {"moves": ",".join(moves)} | ({"fen": start} if start else {})
    query = "&".join(f"{name}={quote(value)}" for name, value in asked.items())
    return await person.get(f"/api/explorer/{variant}?{query}", status)


async def opens(person, game, status):
    async with person.http.get(f"/analysis/chess?game={game}") as answer:
        assert answer.status == status
        return await answer.text()


async def test_the_analysis_board_does_not_open_a_game_for_its_players_before_it_is_over(anna, ben, carla):
    async with playing(anna, ben) as (game, white):
        for player in (anna, ben):
            assert "This comes from a game that you are playing" in await opens(player, game, 403)
        await opens(carla, game, 200)
        await white.command(t="resign")
        await opens(anna, game, 200)
        await opens(ben, game, 200)


async def test_the_explorer_says_nothing_of_a_position_in_play_and_of_what_follows(anna, ben, carla):
    async with playing(anna, ben) as (_, white):
        assert (await looks_up(anna, 403, FOUR))["refusal"] == "in_play"
        await looks_up(ben, 403, start=fen_after(FOUR))
        await looks_up(anna, 403, ["f1c4", "f8c5"], fen_after(FOUR))
        await looks_up(anna, 403, [*FOUR[2:], *FOUR[:2]])
        for moves in (FOUR[:3], ["d2d4"], []):
            await looks_up(anna, 200, moves)
        await looks_up(carla, 200, FOUR)
        await white.command(t="resign")
        await looks_up(anna, 200, FOUR)


async def test_who_plays_by_the_minute_looks_up_nothing_of_that_variant(anna, ben, carla):
    async with playing(anna, ben, clock=BLITZ):
        refused = await looks_up(anna, 403)
        assert refused["refusal"] == "in_play_minute"
        assert "in real time on a board of this size" in refused["message"]
        await looks_up(anna, 403, variant="crazyhouse")
        await looks_up(anna, 200, variant="grand")
        await looks_up(carla, 200)


async def test_a_position_that_was_set_up_is_known_in_any_variant_a_move_away_and_in_a_mirror(anna, ben, carla):
    board = fen_after(FOUR).split()[0]
    exchanged = "/".join(reversed(board.split("/"))).swapcase()
    backwards = "/".join(row[::-1] for row in board.split("/"))
    async with playing(anna, ben):
        for start in (
            f"{board} b KQkq - 0 1",
            f"{board.replace('PPPP1PPP', 'PPPP2PP')} w KQkq - 0 1",
            fen_after([*FOUR, "f1c4"]),
            fen_after([*FOUR, "e1e2"]),
            f"{exchanged} b KQkq - 0 1",
            f"{backwards} w - - 0 1",
        ):
            await looks_up(anna, 403, start=start)
            await looks_up(ben, 403, start=start, variant="kingofthehill")
            await looks_up(anna, 403, ["a2a3"] if " w " in start else ["a7a6"], start, variant="kingofthehill")
        await looks_up(anna, 403, start=f"{board}[] w KQkq - 0 1", variant="crazyhouse")
        for far in (fen_after(FOUR[:2]), fen_after([*FOUR, "f1c4", "f8c5"]), fen_after(FOUR[:3])):
            await looks_up(anna, 200, start=far)
        await looks_up(anna, 403, FOUR, variant="kingofthehill")
        await looks_up(anna, 403, [*FOUR, "f1c4", "f8c5"], variant="kingofthehill")
        for moves in (FOUR[:3], [*FOUR[:3], "g8f6"]):
            await looks_up(anna, 200, moves, variant="kingofthehill")
        await looks_up(carla, 200, start=fen_after([*FOUR, "f1c4"]))


async def test_a_start_at_odds_is_another_game_than_one_that_has_just_begun(anna, ben):
    odds = fen_after([]).replace("PPPPPPPP/RNBQKBNR", "PPPPPPPP/RNBQKB1R")
    async with playing(anna, ben, ["g1f3"]):
        await looks_up(anna, 200, start=odds)
        await looks_up(anna, 200, ["e2e4"], odds)
        await looks_up(anna, 403, start=fen_after(["g1f3"]))


async def test_only_where_captures_explode_does_a_move_empty_squares_and_fill_none(anna, ben, tmp_path, monkeypatch):
    emptied = "r1bqkbnr/pppp1ppp/2n5/8/4P3/8/PPPP1PPP/RNBQKB1R b KQkq - 0 3"
    async with playing(anna, ben):
        await looks_up(anna, 200, start=emptied)
        assert (await anna.get("/api/me/games"))["games"][0]["explodes"] is False
    folder = tmp_path / "variants"
    folder.mkdir()
    shutil.copy(UNOFFERED / "atomic.toml", folder)
    async with (
        InProcess(folder, monkeypatch, variants_dir=folder) as host,
        Person(host.site) as wanda,
        Person(host.site) as boris,
        playing(wanda, boris, variant="atomic"),
    ):
        await looks_up(wanda, 403, start=emptied)
        assert (await wanda.get("/api/me/games"))["games"][0]["explodes"] is True


async def test_a_game_in_which_nobody_has_moved_and_one_against_the_computer_forbid_nothing(anna, ben):
    async with playing(anna, ben, []):
        await looks_up(anna, 200)
    level_one = await anna.post("/api/games", 201, variant="chess", color="white", clock=BLITZ, computer=1)
    async with anna.follow(level_one) as white:
        await white.move(0, "e2e4")
        await looks_up(anna, 200, ["e2e4"])
        await opens(anna, level_one["id"], 200)


async def test_the_computer_does_not_play_on_from_it(anna, ben):
    asked = {"variant": "chess", "color": "white", "clock": DAYS, "computer": 8}
    async with playing(anna, ben):
        refused = await anna.post("/api/games", 403, **asked | {"clock": {"kind": "unlimited"}, "fen": fen_after(FOUR)})
        assert refused["refusal"] == "in_play"
        await anna.post("/api/games", 201, **asked | {"clock": {"kind": "unlimited"}, "fen": fen_after(FOUR[:2])})
        await anna.post("/api/games", 201, **asked | {"clock": {"kind": "unlimited"}})
        form = {"variant": "chess", "level": "8", "fen": fen_after(FOUR)}
        async with anna.http.post("/computer", data=form, allow_redirects=False) as answer:
            assert answer.status == 403
            assert "This comes from a game that you are playing" in await answer.text()


@pytest.mark.parametrize("how", ["chapter", "variation", "site", "games", "set up"])
async def test_no_study_keeps_it(server, anna, ben, how):
    await register(anna, "Anna")
    sans = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6"
    async with playing(anna, ben, TEN) as (game, white):
        pgn = {
            "chapter": f"{sans} 6. O-O *",
            "variation": f"{sans[:-8]} 5. b4 (5. d3 d6) *",
            "site": f'[Site "{server.app[SITE].settings.address}/{game}"]\n\n1. e4 *',
            "games": f"1. d4 *\n\n{sans} *",
            "set up": f'[SetUp "1"]\n[FEN "{fen_after(TEN)}"]\n\n6. O-O *',
        }[how]
        asked = {"name": "Mine", "chapter": "One", "games": how == "games"}
        refused = await anna.post("/api/studies", 403, **asked, pgn=pgn)
        assert refused["refusal"] == "in_play"
        assert (await anna.get("/api/studies"))["studies"] == []
        made = await anna.post("/api/studies", **asked, pgn=sans[:-8])
        chapter = f"/api/studies/{made['id']}/chapters/{made['chapters'][0]['id']}"
        await anna.post(f"/api/studies/{made['id']}/chapters", 403, name="Two", pgn=pgn, games=how == "games")
        if how != "games":
            await anna.post(chapter, 403, rev=1, pgn=pgn)
        await white.command(t="resign")
        await anna.post(f"/api/studies/{made['id']}/chapters", name="Two", pgn=pgn, games=how == "games")


async def test_no_study_keeps_the_game_of_somebody_who_belongs_to_it(anna, ben, carla):
    for person, name in ((anna, "Anna"), (ben, "Ben"), (carla, "Carla")):
        await register(person, name)
    pgn = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 *"
    asked = {"name": "Ours", "chapter": "One", "pgn": "1. d4 *"}
    mine = await carla.post("/api/studies", **asked)
    await carla.post(f"/api/studies/{mine['id']}/members", name="Anna", role="read")
    async with playing(anna, ben, TEN) as (_, white):
        refused = await carla.post(f"/api/studies/{mine['id']}/chapters", 403, name="Two", pgn=pgn)
        assert refused["refusal"] == "in_play_of_member"
        await carla.post("/api/studies", **asked | {"pgn": pgn})
        await white.command(t="resign")
        await carla.post(f"/api/studies/{mine['id']}/chapters", name="Two", pgn=pgn)


async def test_openings_stay_in_studies_while_a_game_begins_with_them(anna, ben):
    await register(anna, "Anna")
    async with playing(anna, ben, FOUR[:1]):
        await anna.post("/api/studies", name="Mine", chapter="One", pgn="1. e4 e5 2. Nf3 *")


async def test_pages_know_which_games_they_keep_the_engine_from(anna, ben):
    async with playing(anna, ben):
        (one,) = (await anna.get("/api/me/games"))["games"]
        assert one["board"] == fen_after(FOUR).split()[0]
        assert (one["last"], one["to_move"], one["by_the_minute"], one["computer"]) == ("b8c6", "white", False, 0)
