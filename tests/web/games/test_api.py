"""Making, joining and reading games by HTTP, and what is refused on the way."""

import asyncio
import json

import pytest

from server.realtime.runtime.ids import digest
from server.web.middlewares import for_all
from server.web.site import SITE
from tests.support.rules.built_in import VARIANTS
from tests.support.web.people import BLITZ


@pytest.mark.parametrize("variant", VARIANTS)
async def test_every_variant_can_be_played(anna, ben, variant):
    game = await anna.challenge(variant=variant)
    assert game["link"] == f"http://localhost:8080/{game['id']}#{game['secret']}"
    await ben.join(game)
    record = await ben.get(f"/api/games/{game['id']}")
    assert record["white"] == await anna.get("/api/me")
    assert record["black"] == await ben.get("/api/me")
    assert record["status"] == "live"
    assert record["start_fen"] == VARIANTS[variant].start_fen


@pytest.mark.parametrize("variant", [v.id for v in VARIANTS.values() if v.chess960])
async def test_a_shuffled_game_begins_with_a_shuffled_array(anna, variant):
    games = [await anna.challenge(variant=variant, chess960=True) for _ in range(4)]
    starts = {(await anna.get(f"/api/games/{game['id']}"))["start_fen"] for game in games}
    assert len(starts) > 1


async def test_a_start_position_and_a_first_move_can_be_given(anna, server, monkeypatch):
    # One write makes the game with its first move, so neither can be without the other.
    monkeypatch.setattr(server.app[SITE].store, "save", None)
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    game = await anna.challenge(fen=fen, move="e2e4")
    record = await anna.get(f"/api/games/{game['id']}")
    assert record["start_fen"] == fen
    assert [move["uci"] for move in record["moves"]] == ["e2e4"]


ASKED_WRONG = {
    "unknown variant": ({"variant": "nonesuch"}, "unknown_variant"),
    "zero clock": ({"clock": {**BLITZ, "initial": 0, "increment": 0}}, "bad_clock"),
    "zero clock for Black": ({"clock": {**BLITZ, "black_initial": 0, "black_increment": 0}}, "bad_clock"),
    "negative": ({"clock": {**BLITZ, "initial": -1}}, "bad_request"),
    "too long": ({"clock": {**BLITZ, "initial": 10_801}}, "bad_request"),
    "huge": ({"clock": {**BLITZ, "initial": 10**9}}, "bad_request"),
    "increment": ({"clock": {**BLITZ, "increment": 181}}, "bad_request"),
    "fraction": ({"clock": {**BLITZ, "initial": 1.5}}, "bad_request"),
    "text for a number": ({"clock": {**BLITZ, "initial": "300"}}, "bad_request"),
    "true for a number": ({"clock": {**BLITZ, "initial": True}}, "bad_request"),
    "four days": ({"clock": {"kind": "correspondence", "days": 4}}, "bad_clock"),
    "other bank": ({"clock": {"kind": "bank", "initial": 10, "increment": 1, "cap": 45}}, "bad_clock"),
    "bank without a cap": ({"clock": {"kind": "bank", "initial": 10, "increment": 1}}, "bad_request"),
    "huge bank": ({"clock": {"kind": "bank", "initial": 10, "increment": 1, "cap": 10**9}}, "bad_request"),
    "no days": ({"clock": {"kind": "correspondence"}}, "bad_request"),
    "other clock": ({"clock": {"kind": "hourglass"}}, "bad_request"),
    "no clock": ({"clock": None}, "bad_request"),
    "color": ({"color": "green"}, "bad_request"),
    "unknown key": ({"boards": 40}, "bad_request"),
    "rated": ({"rated": "yes"}, "bad_request"),
    "no fen": ({"fen": "hello"}, "bad_fen"),
    "two lines": ({"fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nquit"}, "bad_fen"),
    "long fen": ({"fen": "8" * 500}, "bad_request"),
    "mated already": ({"fen": "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"}, "bad_fen"),
    "drawn already": ({"fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1"}, "bad_fen"),
    "illegal move": ({"move": "e2e5"}, "illegal"),
    "no move": ({"move": "; quit"}, "illegal"),
    "not their move": ({"color": "black", "move": "e2e4"}, "not_your_turn"),
}


@pytest.mark.row("I9")
@pytest.mark.parametrize("case", ASKED_WRONG)
async def test_an_impossible_game_is_not_made(anna, case):
    asked, code = ASKED_WRONG[case]
    body = {"variant": "chess", "color": "white", "clock": BLITZ, **asked}
    answer = await anna.post("/api/games", 400, **body)
    assert answer["code"] == code
    assert answer["message"].endswith(".")
    assert not list(anna.http.cookie_jar), "nobody becomes somebody by a mistake"


async def test_a_variant_without_a_shuffled_form_has_none(anna):
    variant = next(v.id for v in VARIANTS.values() if not v.chess960)
    answer = await anna.post("/api/games", 400, variant=variant, clock=BLITZ, chess960=True)
    assert answer["code"] == "no_chess960"


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"null", b"{", b"NaN", b'{"secret": NaN}', b"[" * 16_000, b"\xff\xfe", b'{"secret": 1e999}']
)
async def test_a_body_that_is_not_a_form_is_refused_with_a_sentence(anna, body):
    async with anna.http.post("/api/games", data=body, headers={"Content-Type": "application/json"}) as answer:
        assert answer.status == 400
        assert (await answer.json())["code"] == "bad_request"


async def test_other_bodies_are_refused(anna):
    async with anna.http.post("/api/games", data={"variant": "chess"}) as answer:
        assert answer.status == 415
    async with anna.http.post("/api/games", json={"variant": "x" * 70_000}) as answer:
        assert answer.status == 413
        assert (await answer.json())["code"] == "too_large"


async def test_a_seat_is_given_once_and_only_for_the_secret(anna, ben, visitor):
    game = await anna.challenge()
    wrong = f"/api/games/{game['id']}/join"
    assert (await ben.post(wrong, 403, secret="A" * 22))["code"] == "wrong_invitation"
    me = await ben.get("/api/me")
    assert me, "who was refused is somebody from then on"
    assert (await ben.post(wrong, 403, secret="B" * 22))["code"] == "wrong_invitation"
    assert await ben.get("/api/me") == me
    assert (await anna.post(wrong, 403, secret=game["secret"]))["code"] == "own_challenge"
    await ben.join(game)
    late = await visitor()
    assert (await late.post(wrong, 403, secret=game["secret"]))["code"] in ("seat_taken", "wrong_invitation")
    assert (await ben.post("/api/games/0123456789/join", 404, secret=game["secret"]))["code"] == "no_game"


@pytest.mark.row("R4")
async def test_two_who_open_the_link_at_once_get_one_seat(anna, visitor):
    game = await anna.challenge()
    rivals = [await visitor() for _ in range(6)]

    async def try_to_join(person):
        async with person.http.post(f"/api/games/{game['id']}/join", json={"secret": game["secret"]}) as answer:
            return answer.status

    statuses = await asyncio.gather(*map(try_to_join, rivals))
    assert sorted(statuses) == [200, *[403] * 5]


async def test_looking_at_the_link_accepts_nothing(anna, ben, visitor):
    game = await anna.challenge()
    bot = await visitor()
    for method in ("GET", "HEAD"):
        for _ in range(20):
            async with bot.http.request(method, f"/{game['id']}") as answer:
                assert answer.status == 200
    assert (await bot.get(f"/api/games/{game['id']}"))["status"] == "open"
    await ben.join(game)


async def test_a_game_as_pgn(anna, ben):
    game = await anna.challenge(move="e2e4")
    await ben.join(game)
    async with anna.http.get(f"/api/games/{game['id']}.pgn") as answer:
        assert answer.content_type == "application/vnd.chess-pgn"
        text = await answer.text()
    assert '[TimeControl "300+2"]' in text
    assert "1. e4" in text
    assert f"http://localhost:8080/{game['id']}" in text


@pytest.mark.row("A13")
async def test_nothing_about_a_game_that_is_public_holds_a_secret(anna, ben, visitor):
    game = await anna.challenge()
    outsider = await visitor()
    cookie = next(iter(anna.http.cookie_jar)).value
    for path in (f"/{game['id']}", f"/api/games/{game['id']}", f"/api/games/{game['id']}.pgn", "/api/me"):
        async with outsider.http.get(path) as answer:
            text = await answer.text()
            assert game["secret"] not in text, path
            assert digest(game["secret"]) not in text, path
            assert cookie not in text, path


async def test_the_protocol_is_published(anna):
    schema = await anna.get("/api/protocol")
    assert set(schema) == {"inbound", "outbound", "lobby", "watch", "study", "tournament"}
    assert "snapshot" in json.dumps(schema["outbound"])


async def test_making_games_is_limited(anna, clock):
    for _ in range(20):
        await anna.challenge()
    answer = await anna.post("/api/games", 429, variant="chess", clock=BLITZ)
    assert answer["code"] == "rate"
    clock.turn(3_000)
    await anna.challenge()


@pytest.mark.row("A7")
@pytest.mark.usefixtures("clock")
async def test_guessing_ids_is_slow_but_does_not_stop_players(anna, server):
    game = await anna.challenge()
    for number in range(60):
        await anna.get(f"/api/games/{number:010d}", 404)
    await anna.get("/api/games/9999999999", 429)
    async with anna.follow(game) as socket:
        assert (await socket.next())["t"] == "snapshot"
    assert len(server.app[SITE].limits.misses.whole) == 1


async def test_ready_says_so_until_the_server_stops(anna, server):
    assert await anna.get("/ready") == {"ready": True}
    server.app[SITE].open_sockets.draining = True
    assert (await anna.get("/ready", 503))["why"] == "restarting"
    assert (await anna.get("/health"))["alive"] is True


@pytest.mark.parametrize("path", ["/readyplay12", "/health1234", "/healthABCD"])
def test_a_game_whose_id_begins_like_a_probe_knows_its_players(path):
    assert not for_all(path)
    assert all(map(for_all, ("/ready", "/health", "/static/a.js")))
