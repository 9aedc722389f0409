"""The analysis board's questions: the core's own answers for every variant, bad moves named, and not too often."""

import asyncio

import pytest

from server.web import analysis
from server.web.analysis import LONGEST_LINE
from server.web.site import SITE
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.vectors import GAME_FILES, canonical, legal_digest, records


@pytest.mark.parametrize("name", GAME_FILES)
async def test_a_line_of_every_variant_is_what_was_recorded(anna, name):
    game = records(name)[0]
    asked = {"fen": game["start_fen"], "chess960": game.get("chess960", False), "moves": game["moves"][:40]}
    answer = await anna.post(f"/api/variants/{game['variant']}/line", **asked)
    plies = answer["plies"]
    assert [ply["uci"] for ply in plies] == asked["moves"]
    if "sans" in game:
        assert [ply["san"] for ply in plies] == game["sans"][:40]
    assert [ply["check"] for ply in plies] == [bool(check) for check in game["checks"][:40]]
    assert [canonical(ply["fen"]) for ply, fen in zip(plies, game["fens"], strict=False) if fen] == [
        canonical(fen) for fen in game["fens"][:40] if fen
    ]
    assert legal_digest(answer["legal"]) == game["legal_hash"][len(plies)]


@pytest.mark.parametrize("variant", VARIANTS)
async def test_no_moves_tell_what_is_legal_at_the_start(anna, variant):
    answer = await anna.post(f"/api/variants/{variant}/line", moves=[])
    assert answer["fen"] == VARIANTS[variant].start_fen
    assert answer["plies"] == []
    assert len(answer["legal"]) > 10
    assert (answer["check"], answer["outcome"]) == (False, None)


async def test_the_end_of_a_game_is_told(anna):
    answer = await anna.post("/api/variants/chess/line", moves=["f2f3", "e7e5", "g2g4", "d8h4"])
    assert answer["outcome"] == {"result": "0-1", "winner": "black", "reason": "checkmate"}
    assert answer["legal"] == []


async def test_variations_come_in_one_row(anna):
    answer = await anna.post("/api/variants/chess/line", moves=["e2e4", "e7e5", 1, "c7c5"])
    assert [ply["san"] for ply in answer["plies"]] == ["e4", "e5", "c5"]
    assert "d2d4" in answer["legal"]


@pytest.mark.parametrize("bad", ["e7e5", "e2e5", "P@e5", "rubbish", 3])
async def test_the_impossible_move_is_named(anna, bad):
    answer = await anna.post("/api/variants/chess/line", 400, moves=["e2e4", 1, bad, "d2d4"])
    assert (answer["code"], answer["ply"]) == ("illegal_line", 2)
    assert answer["message"].startswith("Half-move 3 of this line cannot be played: ")


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"fen": "8/8/8 w - - 0 1", "moves": []}, "bad_fen"),
        ({"fen": "rubbish", "moves": []}, "bad_fen"),
        ({"fen": "x" * 201, "moves": []}, "bad_request"),
        ({"moves": ["e2e4"] * (LONGEST_LINE + 1)}, "bad_request"),
        ({"moves": ["e2e4" * 9]}, "bad_request"),
        ({"moves": [0]}, "bad_request"),
        ({"moves": [True]}, "bad_request"),
        ({"moves": "e2e4"}, "bad_request"),
        ({"moves": [], "depth": 9}, "bad_request"),
    ],
)
async def test_bad_questions_are_refused_with_the_reason(anna, asked, code):
    answer = await anna.post("/api/variants/chess/line", 400, **asked)
    assert answer["code"] == code
    assert answer["message"].endswith(".")


async def test_a_form_that_a_variant_does_not_have(anna):
    assert (await anna.post("/api/variants/grand/line", 400, chess960=True, moves=[]))["code"] == "no_chess960"
    assert (await anna.post("/api/variants/nonesuch/line", 404, moves=[]))["code"] == "unknown_variant"


async def test_each_person_has_an_allowance(anna, ben, server):
    limits = server.app[SITE].limits
    limits.tries.amount, limits.long_tries.amount = 3, 1
    await anna.post("/api/guest")
    for _ in range(3):
        await anna.post("/api/variants/chess/line", moves=[])
    refusal = await anna.post("/api/variants/chess/line", 429, moves=[])
    assert refusal["code"] == "rate"
    await ben.post("/api/guest")
    await ben.post("/api/variants/chess/line", moves=[])
    back_and_forth = ["g1f3", 1] * 20
    await anna.post("/api/variants/chess/line", moves=back_and_forth)
    await anna.post("/api/variants/chess/line", 429, moves=back_and_forth)
    await anna.post("/api/analysis/pgn", 429, pgn="1. e4 *")


async def test_all_behind_one_address_have_an_allowance_together(anna, ben, server):
    limits = server.app[SITE].limits
    limits.tries.shared, limits.long_tries.shared = 1, 1
    for person, status in ((anna, 200), (ben, 429)):
        await person.post("/api/guest")
        await person.post("/api/variants/chess/line", status, moves=[])
        await person.post("/api/variants/chess/line", status, moves=["g1f3", 1] * 20)


async def test_one_line_is_judged_at_a_time_for_each_address(anna, ben, monkeypatch):
    under_way, most, real = 0, 0, analysis.judging

    def counted(start, moves):
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        line = yield from real(start, moves)
        under_way -= 1
        return line

    monkeypatch.setattr(analysis, "judging", counted)
    long = {"moves": ["g1f3", 1] * 200}
    lines = [person.post("/api/variants/chess/line", **long) for person in (anna, ben) for _ in range(4)]
    answers = await asyncio.gather(*lines)
    assert len({len(answer["plies"]) for answer in answers}) == 1
    assert most == 1


async def test_a_game_as_pgn_is_judged(anna):
    head = '[Variant "Grand"]\n[White "Ann"]\n\n'
    refusal = await anna.post("/api/analysis/pgn", 400, pgn=f"{head}1. d8 d5 *")
    assert (refusal["code"], refusal["ply"]) == ("bad_pgn", 0)
    assert refusal["message"] == "The move 1. d8 (half-move 1) is not legal there."
    stopped = await anna.post("/api/analysis/pgn", pgn=f"{head}1. d5 d8 2. e5 *")
    assert (stopped["steps"], stopped["plies"][0]["notes"]) == (["d3d5"], {"comments": ["d8 2. e5"]})
    (told,) = stopped["mended"]
    assert (told["code"], told["line"], told["detail"]) == ("illegal", 4, "1... d8")
    answer = await anna.post("/api/analysis/pgn", pgn=f"{head}1. d5 (1. e4 e6) d6 {{ late }} *")
    assert (answer["variant"], answer["white"], answer["black"]) == ("grand", "Ann", "?")
    assert answer["steps"] == ["d3d5", "d8d6", 2, "e3e4", "e8e6"]
    assert [ply["uci"] for ply in answer["plies"]] == ["d3d5", "d8d6", "e3e4", "e8e6"]
    assert answer["fen"] == VARIANTS["grand"].start_fen


async def test_the_annotations_of_a_game_come_with_it(anna):
    text = '[White "Ann"]\n[ECO "C20"]\n\n{so} 1. e4! {[%clk 0:03:00] good} (1. d4 (1. c4 c5) d5) ({or} 1. f4) e5 1-0'
    answer = await anna.post("/api/analysis/pgn", pgn=text)
    assert answer["steps"] == ["e2e4", "e7e5", 2, "d2d4", "d7d5", 2, "c2c4", "c7c5", 2, "f2f4"]
    assert answer["plies"][0]["notes"] == {"nags": [1], "clock": 180_000, "comments": ["good"]}
    assert answer["plies"][-1]["notes"] == {"before": ["or"]}
    assert (answer["result"], answer["comments"], answer["whole"]) == ("1-0", ["so"], True)
    assert answer["tags"] == {"White": "Ann", "ECO": "C20"}


async def test_a_game_with_too_many_variations_opens_as_its_main_line(anna):
    answer = await anna.post("/api/analysis/pgn", pgn="1. e4 " + "(1. d4 d5) " * 250 + "e5 *")
    assert (answer["steps"], answer["whole"]) == (["e2e4", "e7e5"], False)


async def test_a_game_that_is_too_long_is_refused(anna):
    pgn = " ".join(["Nf3 Nf6 Ng1 Ng8"] * 151)
    assert (await anna.post("/api/analysis/pgn", 400, pgn=pgn))["code"] == "line_too_long"


async def test_the_pages_are_there(anna):
    async with anna.http.get("/analysis") as answer:
        assert 'href="/analysis/grandhouse"' in await answer.text()
    async with anna.http.get("/analysis/acedrex?fen=x") as answer:
        assert answer.status == 200
        assert 'id="page"' in await answer.text()
    async with anna.http.get("/analysis/nonesuch") as answer:
        assert answer.status == 404
