"""What the site answers has the shapes that lichess has published for its clients, endpoint by endpoint.

So has every answer that any other test of `tests.web` gets (`tests.support.web.described`).
"""

import json
from types import SimpleNamespace

import aiohttp
import chess.variant
import pytest

from server.web.routes import BOT_API
from tests.support.bots.berserk_client import begun
from tests.support.bots.lichess_shapes import STRICT, expected, wrong_answer

SET_UP = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"
FIVE_AND_THREE = {"initial": 300, "increment": 3, "totalTime": 420}


def fits(shape, answer):
    assert STRICT.errors(shape, answer) == [], (shape, answer)
    return answer


def listen(bot, path):
    """What a stream says, as it is written: berserk would make dates of its numbers."""

    def lines():
        for line in bot.session.get(bot.site + path, stream=True).iter_lines(chunk_size=1):
            if line:
                yield json.loads(line)

    return bot.listen(lines())


def challenging(**terms):
    return {"data": {"rated": "false", "color": "white", **terms}}


@pytest.fixture
def asked(bots):
    """Asks as one of two bots, and returns what comes, which has the shape that is named."""

    async def ask(nth, method, path, shape, status=200, headers=None, **sent):
        headers = {"Authorization": f"Bearer {bots[nth].token}", "Accept": "application/json", **(headers or {})}
        async with (
            aiohttp.ClientSession() as http,
            http.request(method, bots[nth].site + path, headers=headers, **sent) as answer,
        ):
            assert answer.status == status, await answer.text()
            lines = (await answer.text()).splitlines()
        return fits(shape, json.loads(lines[0])) if lines else None

    return ask


async def test_accounts(bots, asked):
    anna, ben = bots
    for path in ("/api/account", f"/api/user/{ben.name}"):
        assert (await asked(0, "GET", path, "account"))["title"] == "BOT"
    await asked(0, "GET", f"/api/users/status?ids={anna.name},{ben.name}", "statuses")
    await asked(0, "POST", "/api/token/test", "tokens", data=f"{anna.token},{ben.token},fh_nobody")
    await asked(0, "GET", "/api/bot/online", "user")
    await asked(0, "POST", "/api/bot/account/upgrade", "ok")


KEYS = ["standard", "chess960", "crazyhouse", "kingOfTheHill", "threeCheck", "fromPosition"]


@pytest.mark.parametrize("variant", KEYS)
@pytest.mark.parametrize("clock", [{"clock.limit": 300, "clock.increment": 3}, {"days": 3}, {}])
async def test_a_game_from_the_challenge_to_the_export(bots, asked, variant, clock):
    _, ben = bots
    start = {"fen": SET_UP} if variant == "fromPosition" else {"variant": variant}
    events = [listen(bot, "/api/stream/event") for bot in bots]
    made = await asked(0, "POST", f"/api/challenge/{ben.name}", "challenge", **challenging(**clock, **start))
    assert made["variant"]["key"] == variant
    game = made["id"]
    fits("event", await events[1].until("challenge"))
    assert (await asked(0, "GET", "/api/challenge", "challenges"))["out"]
    await asked(1, "GET", f"/api/challenge/{game}/show", "challenge")
    await asked(1, "POST", f"/api/challenge/{game}/accept", "ok")
    for bot in range(2):
        shown = await asked(bot, "GET", f"/api/challenge/{game}/show", "challenge")
        assert {**shown, "direction": "out"} == {**made, "status": "accepted"}
    for stream in events:
        begun_as = fits("event", await stream.until("gameStart"))
        assert begun_as["game"]["opponent"]["rating"] == 1500
    playing = await asked(0, "GET", "/api/account/playing", "playing")
    assert (playing["nowPlaying"][0]["status"], playing["nbMyTurn"]) == ("started", 1)
    stream = listen(ben, f"/api/bot/game/stream/{game}")
    full = fits("gameLine", await stream.until("gameFull"))
    assert ("clock" in full, "daysPerTurn" in full) == ("clock.limit" in clock, "days" in clock)
    for ply, uci in enumerate(("e2e3", "e7e6")):
        await asked(ply, "POST", f"/api/bot/game/{game}/move/{uci}", "ok")
        fits("gameLine", await stream.until("gameState"))
    await asked(0, "POST", f"/api/bot/game/{game}/chat", "ok", data={"room": "player", "text": "hello"})
    fits("gameLine", await stream.until("chatLine"))
    assert await asked(1, "GET", f"/api/bot/game/{game}/chat", "chat") == [{"text": "hello", "user": "AnnaBot"}]
    for path in ("takeback/no", "draw/yes"):
        await asked(0, "POST", f"/api/bot/game/{game}/{path}", "ok")
    assert fits("gameLine", await stream.until("gameState"))["wdraw"] is True
    running = await asked(0, "GET", f"/game/export/{game}", "game")
    await asked(1, "POST", f"/api/bot/game/{game}/resign", "ok")
    for each in events:
        assert fits("event", await each.until("gameFinish"))["game"]["winner"] == "white"
    ended = await asked(0, "GET", f"/game/export/{game}", "game")
    assert (ended["status"], ended["winner"], ended["moves"]) == ("resign", "white", "e3 e6")
    assert "winner" not in running
    assert ended.get("clock") == (FIVE_AND_THREE if "clock.limit" in clock else None)


async def test_checks_are_counted_in_fens_as_lichess_counts_them(bots, asked):
    _, ben = bots
    fen = "4k3/8/8/8/8/8/7r/R3K3 w - - 0 1 +0+1"
    terms = challenging(days=3, variant="threeCheck", fen=fen)
    made = await asked(0, "POST", f"/api/challenge/{ben.name}", "challenge", **terms)
    assert made["initialFen"] == fen
    await asked(1, "POST", f"/api/challenge/{made['id']}/accept", "ok")
    await asked(0, "POST", f"/api/bot/game/{made['id']}/move/a1a8", "ok")
    (playing,) = (await asked(1, "GET", "/api/account/playing", "playing"))["nowPlaying"]
    assert playing["fen"] == "R3k3/8/8/8/8/8/7r/4K3 b - - 1 1 +1+1"
    assert chess.variant.ThreeCheckBoard(playing["fen"]).remaining_checks == [2, 2]
    assert (await asked(0, "GET", f"/game/export/{made['id']}", "game"))["initialFen"] == fen


async def test_a_challenge_that_is_declined_or_cancelled(bots, asked):
    anna, ben = bots
    stream = listen(anna, "/api/stream/event")
    for path, by, kind, shape in (
        ("decline", 1, "challengeDeclined", "declinedChallenge"),
        ("cancel", 0, "challengeCanceled", "challenge"),
    ):
        made = await asked(0, "POST", f"/api/challenge/{ben.name}", "challenge", **challenging(days=3))
        fits("event", await stream.until("challenge"))
        await asked(by, "POST", f"/api/challenge/{made['id']}/{path}", "ok", data={"reason": "tooFast"})
        event = fits("event", await stream.until(kind))
        shown = await asked(0, "GET", f"/api/challenge/{made['id']}/show", shape)
        assert shown["status"] == event["challenge"]["status"]
        if by:
            assert shown["declineReasonKey"] == event["challenge"]["declineReasonKey"] == "toofast"
        await asked(1, "GET", "/api/challenge/0123456789/show", "error", 404)


async def test_a_challenge_for_any_two(asked, anna):
    made = await asked(
        0, "POST", "/api/challenge/open", "openChallenge", data={"clock.limit": 60, "clock.increment": 1}
    )
    secret = made["urlBlack"].partition("#")[2].partition(".")[0]
    joined = await anna.post(f"/api/games/{made['id']}/join", 200, secret=secret)
    assert joined["color"] == "black"


@pytest.mark.parametrize("field", ["users", "rules", "expiresAt", "keepAliveStream"])
async def test_what_a_challenge_would_not_hold_to_is_refused(bots, asked, field):
    """lichess has these; whoever sends one must not believe that the game has it."""
    for path, shape in (("open", "openChallenge"), (bots[1].name, "challenge")):
        refusal = await asked(0, "POST", f"/api/challenge/{path}", "error", 400, data={"days": 3, field: "true"})
        assert field in refusal["error"]
        await asked(0, "POST", f"/api/challenge/{path}", shape, data={"days": 3, field: ""})
        await asked(0, "POST", f"/api/challenge/{path}", shape, json={"days": 3, field: None})


async def test_every_refusal_says_why_under_error(bots, asked, anna):
    game, _ = await begun(*bots)
    wrong = [
        ("GET", "/api/nothing", 404),
        ("DELETE", "/api/account", 405),
        ("GET", "/game/export/0123456789", 404),
        ("GET", "/api/user/Nobody", 404),
        ("POST", f"/api/bot/game/{game}/move/e2e5", 400),
        ("POST", f"/api/bot/game/{game}/draw/perhaps", 400),
        ("POST", "/api/challenge/ai", 400),
        ("POST", "/api/challenge/Nobody", 400),
        ("GET", "/api/challenge/0123456789/show", 404),
        ("POST", "/api/import", 415),
    ]
    for method, path, status in wrong:
        assert (await asked(0, method, path, "error", status))["error"]


async def test_a_token_takes_in_a_game_without_an_origin(asked):
    pgn = '[White "Karpov"]\n[Black "Kasparov"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n'
    for sent in ({"data": {"pgn": pgn}}, {"data": pgn, "headers": {"Content-Type": "application/x-chess-pgn"}}):
        taken = await asked(0, "POST", "/api/import", "imported", **sent)
        assert taken["url"].endswith(f"/{taken['id']}")


async def test_the_players_of_an_imported_game_are_names_alone(asked):
    pgn = '[White "Karpov"]\n[Black "Kasparov"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n'
    taken = await asked(0, "POST", "/api/import", "imported", data={"pgn": pgn})
    kept = await asked(0, "GET", f"/game/export/{taken['id']}", "game")
    assert (kept["source"], kept["players"]) == ("import", {"white": {"name": "Karpov"}, "black": {"name": "Kasparov"}})


def test_every_address_of_the_bot_api_is_compared_but_our_own_and_a_report_in_text():
    own, report = "POST /api/bot/seek/{seek}/take", "GET /swiss/{tournament}.trf"
    said = {f"{route.method} {route.path}".replace(":[0-9A-Za-z]{10}}", "}") for route, _ in BOT_API}
    assert {one for one in said if expected(*one.split(" ", 1)) is None} == {own, report}


@pytest.mark.parametrize(
    ("path", "status", "kind", "body", "why"),
    [
        ("/api/account", 200, "application/json", '{"id": "anna"}', '"username" is a required property'),
        ("/api/account", 200, "text/html", "<p>", "it is text/html"),
        ("/api/account", 409, "application/json", '{"error": "no"}', "it never answers so"),
        ("/api/bot/online", 400, "application/json", '{"error": "no"}', "it never answers so"),
        ("/api/account", 401, "application/json", '{"code": "no"}', '"error" is a required property'),
        ("/api/stream/event", 200, "application/x-ndjson", '\n{"type": "gameStart"}\n', "is not valid"),
    ],
)
def test_what_is_unlike_lichess_is_found(path, status, kind, body, why):
    request = SimpleNamespace(method="GET", path=path)
    assert why in "".join(wrong_answer(request, path, status, kind, body))
