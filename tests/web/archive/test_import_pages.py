"""Games from elsewhere, by the page and by program: what is taken, what is refused and why, and how much."""

from contextlib import AsyncExitStack

import aiohttp
import pytest

from server.web.archive import imports
from server.web.archive.imports import MAX_GAMES, place_of
from server.web.budgets.buckets import RateLimit
from server.web.budgets.limits import FILE
from server.web.site import SITE
from tests.support.rules.built_in import VARIANTS
from tests.support.rules.pgn_texts import as_pgn
from tests.support.rules.vectors import GAME_FILES, records
from tests.support.web.importing import send
from tests.support.web.in_process import InProcess
from tests.support.web.people import Person

TWO_OF_THREE = """[Event "Casual"]
[Site "London"]
[Date "1851.06.21"]
[White "Anderssen"]
[Black "<b>Kieseritzky</b>"]

1. e4 e5 2. f4 exf4 1-0

[White "Bad"]

1. Ke3 e5 *

[Variant "Grand"]
[White "Ann"]
[Black "Bo"]

1. Nc4 Nc7 {fine} 1/2-1/2
"""


async def send_form(person, status=200, file=None, text=""):
    with aiohttp.MultipartWriter("form-data") as form:
        form.append(file or b"", {"Content-Type": "text/plain"}).set_content_disposition(
            "form-data", name="file", filename="games.pgn" if file else ""
        )
        form.append(text).set_content_disposition("form-data", name="text")
        async with person.http.post("/import", data=form) as answer:
            page = await answer.text()
            assert answer.status == status, page
            assert ("Retry-After" in answer.headers) is (status in (429, 503))
            return page


async def test_good_games_of_a_file_are_kept_and_the_others_reported(anna, ben):
    answer = await send(anna, TWO_OF_THREE)
    assert [(one["number"], one["white"], one["result"]) for one in answer["games"]] == [
        (1, "Anderssen", "1-0"),
        (3, "Ann", "1/2-1/2"),
    ]
    assert answer["refused"] == [
        {
            "number": 2,
            "line": 9,
            "ply": 0,
            "code": "illegal",
            "detail": "1. Ke3",
            "params": {"move": "1. Ke3", "half_move": 1},
            "message": "The move 1. Ke3 (half-move 1) is not legal there.",
        }
    ]
    record = await ben.get(f"/api/games/{answer['games'][0]['id']}")
    assert (record["status"], record["rated"], record["reason"]) == ("over", False, "imported")
    assert record["white"] == {"id": "", "name": "Anderssen"}
    assert record["origin"] == {"event": "Casual", "site": "London", "date": "1851.06.21"}
    assert [move["san"] for move in record["moves"]] == ["e4", "e5", "f4", "exf4"]


async def test_the_same_game_is_not_imported_twice(anna, ben):
    first = await send(anna, TWO_OF_THREE)
    again = await send(ben, TWO_OF_THREE)
    assert [one["id"] for one in again["games"]] == [one["id"] for one in first["games"]]
    assert ([one["known"] for one in first["games"]], [one["known"] for one in again["games"]]) == (
        [False, False],
        [True, True],
    )
    assert len((await anna.get("/api/games?source=imported"))["games"]) == 2


@pytest.mark.parametrize("name", GAME_FILES)
async def test_games_of_every_variant_come_and_go_as_the_same_pgn(anna, name):
    texts = [as_pgn(VARIANTS, game, White="Zoë", Date="2020.01.02") for game in records(name)[:2]]
    taken = (await send(anna, "\n".join(texts).replace("\n", "\r\n").encode()))["games"]
    for text, one in zip(texts, taken, strict=True):
        async with anna.http.get(f"/api/games/{one['id']}.pgn") as answer:
            given = await answer.text()
        assert given.split("\n\n")[1].split() == text.split("\n\n")[1].split()
        assert '[White "Zoë"]\n' in given
        assert '[Date "2020.01.02"]\n' in given
        assert "Site" in given
    page = await (await anna.http.get(f"/{taken[0]['id']}")).text()
    assert VARIANTS[taken[0]["variant"]].name in page


NOTED = """[Event "Casual"]
[Site "London"]
[Date "1851.06.21"]
[Round "3"]
[White "Anderssen"]
[Black "Kieseritzky"]
[Result "1-0"]
[Variant "Standard"]
[WhiteElo "2600"]
[BlackElo "2500"]
[TimeControl "40/7200:3600"]
[ECO "C33"]
[Annotator "A \\"B\\" C"]
[Termination "Normal"]

{ The game } 1. e4 $1 { [%clk 0:03:00] best by test } 1... e5
{ [%clk 0:02:58.5] } (1... c5 { sharp } 2. Nf3 (2. c3 $5) 2... d6) 2. f4 $6 exf4
{ [%eval 0.3] } 1-0
"""


async def test_an_annotated_game_is_exported_as_it_was_imported(anna, ben):
    (one,) = (await send(anna, NOTED))["games"]
    async with ben.http.get(f"/api/games/{one['id']}.pgn") as answer:
        assert await answer.text() == NOTED
    async with ben.http.get("/api/games.pgn?source=imported") as answer:
        assert (await answer.text()).strip() == NOTED.strip()
    async with ben.http.get(f"/api/games/{one['id']}.pgn?ply=2") as answer:
        part = await answer.text()
    assert part.endswith("\n\n1. e4 { [%clk 0:03:00] } 1... e5 { [%clk 0:02:58.5] } *\n")
    assert ('[WhiteElo "2600"]' in part, "Termination" in part) == (True, False)
    assert [again["known"] for again in (await send(ben, NOTED))["games"]] == [True]
    (other,) = (await send(ben, NOTED.replace("best by test", "worst")))["games"]
    assert (other["known"], other["id"] == one["id"]) == (False, False)


async def test_games_without_tags_in_one_text_are_each_taken(anna):
    answer = await send(anna, "1. e4 e5 1-0\n\n1. Ke4 d4 0-1\n\n1. c4 c5 0-1\n")
    assert [(one["number"], one["plies"], one["result"]) for one in answer["games"]] == [(1, 2, "1-0"), (3, 2, "0-1")]
    assert [(one["number"], one["line"], one["detail"]) for one in answer["refused"]] == [(2, 3, "1. Ke4")]


MENDED = '1. e4 e5 *\n\n[FEN "4k3/8/8/8/8/8/4P3/4K3 w KQkq - 0 1"]\n\n1. e4 foo Kd7\n2. Kd2 bar *\n'


async def test_errors_are_in_the_readers_language(anna):
    anna.http.headers["Accept-Language"] = "es"
    page = await send_form(anna, text="1. e4 e5 2. e5\n")
    assert "no es legal" in page
    page = await send_form(anna, text=MENDED)
    assert "descartados: KQkq (línea 3); 2 símbolos conservados como comentarios: foo, bar (líneas 5–6)." in page


async def test_what_was_mended_is_shown_with_game_line_and_text(anna):
    page = await send_form(anna, text=MENDED)
    assert "Read with changes, from line 3: castling rights dropped: KQkq (line 3); 2 tokens kept as comments" in page
    assert "comments: foo, bar (lines 5–6)." in page
    assert "from line 3 of games.pgn: castling" in await send_form(anna, file=MENDED.encode("utf-16"))
    answer = await anna.http.post("/api/import", data=MENDED, headers={"Content-Type": "application/x-chess-pgn"})
    told = await answer.json()
    assert "file" not in told
    plain, mended = told["games"]
    assert plain["mended"] == []
    assert (mended["number"], mended["line"]) == (2, 3)
    assert [(one["code"], one["lines"], one["number"], one["detail"]) for one in mended["mended"]] == [
        ("rights", [3], 1, "KQkq"),
        ("kept", [5, 6], 2, "foo, bar"),
    ]


async def test_a_program_that_names_its_file_is_told_of_which_the_lines_are(anna):
    for name, status in (("games <1>.pgn", 200), ("g" * 201, 400)):
        sent = {"params": {"file": name}, "headers": {"Content-Type": "application/x-chess-pgn"}}
        async with anna.http.post("/api/import", data=MENDED, **sent) as answer:
            assert answer.status == status
            assert (await answer.json()).get("file") == (name if status == 200 else None)


async def test_the_page_takes_a_file_or_a_text_and_shows_names_as_text(anna):
    by_file = await send_form(anna, file=TWO_OF_THREE.encode("latin-1"))
    assert "&lt;b&gt;Kieseritzky&lt;/b&gt;" in by_file
    assert "2 games are here now" in by_file
    assert "Game 2 (games.pgn, line 9)" in by_file
    by_text = await send_form(anna, text=TWO_OF_THREE)
    assert "already here" in by_text
    page = await (await anna.http.get("/import")).text()
    assert 'enctype="multipart/form-data"' in page


async def test_a_form_without_games_comes_back_with_the_reason(anna):
    assert "No game was found" in await send_form(anna, 400)
    assert "larger than 1 MB" in await send_form(anna, 413, file=b" " * (FILE + 1))
    async with anna.http.post("/import", data={"text": "1. e4"}) as answer:
        assert answer.status == 415


async def test_an_import_that_is_too_large_empty_or_no_pgn_is_refused(anna):
    assert (await send(anna, "x" * (FILE + 1), 413))["code"] in ("too_large", "file_too_large")
    games = '[A "1"]\n1. e4 *\n' * (MAX_GAMES + 1)
    assert (await send(anna, games, 413))["code"] == "too_many_games"
    assert (await send(anna, " \n", 400))["code"] == "no_games"
    assert (await send(anna, "1. e4 *", 415, **{"Content-Type": "application/json"}))["code"] == "not_pgn"


async def test_imported_games_per_day_are_limited(anna, server):
    limits = server.app[SITE].limits
    limits.imported = RateLimit(1, 86_400)
    answer = await send(anna, TWO_OF_THREE)
    assert ([one["number"] for one in answer["games"]], answer["left"]) == ([1], 2)
    refused = await send(anna, "1. d4 *", 429)
    assert refused["code"] == "rate"
    await send_form(anna, 429, b"1. d4 *")


async def test_imported_half_moves_per_day_are_limited_even_after_a_restart(tmp_path, monkeypatch):
    monkeypatch.setattr(imports, "MAX_BY_USER", 7)
    monkeypatch.setattr(imports, "MAX_BY_PLACE", 7)
    site = InProcess(tmp_path, monkeypatch)
    async with AsyncExitStack() as people:
        anna, ben, carla = [await people.enter_async_context(Person(site.site)) for _ in range(3)]
        async with site:
            answer = await send(anna, TWO_OF_THREE.replace("1. Ke3 e5", "1. e4 e5 2. Nf3"))
            assert [one["plies"] for one in answer["games"]] == [4, 3]
            assert answer["left"] == 1
        async with site:
            assert (await send(anna, "1. d4 *", 429))["code"] == "rate"
            assert (await send(ben, "1. d4 *", 429))["code"] == "rate", "behind the same address"
            monkeypatch.setattr(imports, "MAX_BY_PLACE", 8)
            assert len((await send(ben, "1. d4 *"))["games"]) == 1
            assert (await send(carla, "1. c4 *", 429))["code"] == "rate"
            monkeypatch.setattr(imports, "DAY_MS", -1)
            assert len((await send(anna, "1. c4 *"))["games"]) == 1, "a day later"


async def test_comments_count_as_the_half_moves_that_would_fit_in_their_place(anna, monkeypatch):
    monkeypatch.setattr(imports, "MAX_BY_USER", 20)
    long = f"1. e4 {{{'x' * 64 * 20}}} *"
    assert len((await send(anna, f"1. d4 *\n\n{long}"))["games"]) == 1
    assert len((await send(anna, "1. c4 *"))["games"]) == 1, "there is room for what is short"


def test_a_place_is_told_apart_but_no_network_of_one_customer():
    assert place_of("192.0.2.1") != place_of("192.0.2.2")
    assert place_of("2001:0db8:0001:0002") == place_of("2001:0db8:0001:0003") != place_of("2001:0db8:0002:0002")
    assert len(place_of("192.0.2.1")) == 4, "one network in 65,536 has the same"


async def test_imported_files_are_limited(anna, server):
    server.app[SITE].limits.imports = RateLimit(1, 600)
    await send(anna, "1. d4 *")
    assert (await send(anna, "1. d4 *", 429))["code"] == "rate"


async def test_pages_of_other_sites_import_nothing(server, visitor):
    stranger = await visitor("http://elsewhere.example")
    assert (await send(stranger, "1. e4 *", 403))["code"] == "wrong_origin"


async def test_the_half_moves_of_refused_games_are_counted_too(anna, server):
    server.app[SITE].limits.refused_plies = RateLimit(25, 86_400)
    bad = "1. Qh9 " + "Nf6 2. Ng1 Ng8 3. Nf3 " * 32 + "*\n\n"
    answer = await send(anna, bad * 5)
    assert (len(answer["refused"]), answer["left"]) == (3, 2)
    assert (await send(anna, "1. d4 *", 429))["code"] == "rate"
