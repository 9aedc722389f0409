"""JSON that is not what it should be: refused in one way, nothing of it applied (I4, I5, I9)."""

import itertools
import json
import random

import pytest
from pydantic import TypeAdapter

from server.realtime.lobby import Lobby
from server.realtime.protocol.codec import BadMessage, read_message
from server.realtime.protocol.inbound import Inbound
from server.realtime.studies import StudyPages
from server.realtime.tournaments import Tournaments
from server.realtime.tv import Tv
from server.rules.errors import Refusal
from server.web.games.new_games import NewGame, terms_of
from server.web.site import SITE
from tests.faults.access.addresses import addresses
from tests.support.realtime.messages import GOOD
from tests.support.rules.built_in import VARIANTS
from tests.support.web.people import BLITZ

LINES = (TypeAdapter(Inbound), Lobby.kinds, Tv.kinds, StudyPages.kinds, Tournaments.kinds)
GREETINGS = [
    {"t": "hi", "proto": 1},
    {"t": "hi", "proto": 1, "variant": "chess"},
    {"t": "hi", "proto": 1, "study": "A" * 22},
    {"t": "hi", "proto": 1, "tournament": "A" * 10},
]
ODD = (
    *("NaN", "-NaN", "Infinity", "-Infinity", "-0", "0.0", "1.0", "1e999", "-1e999", "1E400", "9" * 400, "0x10", "01"),
    *("true", "false", "null", '""', '"1"', '"\\u0000"', '"\\ud800"', "[]", "[1]", "{}", '{"$gt":""}', "-" + "9" * 400),
    *("[" * 500 + "]" * 500, '{"a":' * 300 + "1" + "}" * 300, '{"__proto__":{"id":1}}', '{"constructor":1}'),
)
NAMES = ("__proto__", "constructor", "$where", "$set", "a.b", "id", "t", "ply", "lag", "clock", "", "\\u0074")


def document(rng):
    """A message in which something is odd, as text."""
    fields = {name: json.dumps(value) for name, value in rng.choice(GOOD + GREETINGS).items()}
    members = list(fields.items())
    at = rng.randrange(len(members))
    match rng.randrange(5):
        case 0 | 1:
            members[at] = (members[at][0], rng.choice(ODD))
        case 2:
            members.insert(rng.randrange(len(members) + 1), (rng.choice(NAMES), rng.choice(ODD)))
        case 3:
            members.append((members[at][0], rng.choice((members[at][1], rng.choice(ODD)))))
        case _:
            del members[at]
    text = "{" + ",".join(f'"{name}":{value}' for name, value in members) + "}"
    return f"[{text}]" if rng.random() < 0.03 else text


@pytest.mark.row("I4")
def test_odd_documents_are_read_as_they_are_or_refused(scale, seed, counted):
    rng, documents, accepted = random.Random(f"{seed} I4"), scale(20_000), 0
    for text in (document(rng) for _ in range(documents)):
        for kinds in LINES:
            try:
                message = read_message(text, kinds)
            except BadMessage:
                continue
            accepted += 1
            pairs = json.loads(text, object_pairs_hook=list)
            assert len(dict(pairs)) == len(pairs), text
            for name, value in pairs:
                kept = getattr(message, name)
                assert (type(kept), kept) == (type(value), value), text
    assert 0 < accepted < documents
    counted("documents on three lines", documents)


@pytest.mark.row("I4")
@pytest.mark.usefixtures("unlimited")
@pytest.mark.parametrize(
    "odd", [*ODD, "{", '{"secret":"AAAAAAAAAAAAAAAAAAAAAA","secret":""}'], ids=lambda odd: odd[:20]
)
async def test_odd_bodies_are_refused_with_a_sentence_on_every_route(server, anna, odd, caplog):
    game = await anna.challenge()
    for method, path in addresses(server, "POST", game=game["id"]):
        if path in ("/import", "/api/import", "/api/guest") or not path.startswith("/api"):
            continue
        for body in (odd, f'{{"variant":{odd}}}', f'{{"secret":{odd}}}', f'{{"variants":{odd}}}', f'{{"pgn":{odd}}}'):
            headers = {"Content-Type": "application/json"}
            async with anna.http.request(method, path, data=body.encode(), headers=headers) as answer:
                assert 200 <= answer.status < 500, (path, body[:100])
                assert answer.status < 300 or (await answer.json())["message"], (path, body[:100])
    assert server.app[SITE].rounds.in_memory(game["id"]).game.black is None
    assert "Traceback" not in caplog.text


@pytest.mark.row("I4")
@pytest.mark.parametrize(
    "body",
    [
        '{"variant":"chess","variant":"grand","clock":{"kind":"unlimited"}}',
        '{"variant":"chess","clock":{"kind":"unlimited"},"clock":{"kind":"unlimited"}}',
        '{"variant":"chess","clock":{"kind":"correspondence","days":3,"days":14}}',
        '{"variant":"chess","clock":{"kind":"unlimited"},"rated":false,"r\\u0061ted":true}',
    ],
)
async def test_a_body_with_a_duplicate_key_is_refused(anna, body):
    headers = {"Content-Type": "application/json"}
    async with anna.http.post("/api/games", data=body.encode(), headers=headers) as answer:
        assert (answer.status, (await answer.json())["code"]) == (400, "bad_request")


OPERATORS = [
    *({operator: value} for operator in ("$gt", "$ne", "$regex", "$where", "$in", "$exists") for value in ("", "a", 1)),
    *({"$or": [{}]}, {"$expr": True}, {"a.b": 1}, [{"$gt": ""}], {"$function": {}}, {"": {}}),
]


@pytest.mark.row("I5")
@pytest.mark.usefixtures("unlimited")
async def test_database_operators_are_not_accepted_as_values(server, anna, counted):
    made = await anna.challenge()
    good = {
        "/api/games": {"variant": "chess", "color": "white", "clock": BLITZ, "fen": "x", "to": "Anna", "move": "e2e4"},
        f"/api/games/{made['id']}/join": {"secret": made["secret"]},
        f"/api/games/{made['id']}/qr": {"fragment": made["secret"]},
        f"/api/games/{made['id']}/offline": {
            "variant": "chess",
            "fen": "x",
            "color": "white",
            "computer": 3,
            "moves": ["e2e4"],
            "begun": 1,
            "played": 1,
        },
        "/api/seeks": {"variants": ["chess"], "clock": BLITZ, "color": "white"},
        "/api/alerts": {"variants": ["chess"], "speeds": ["blitz"]},
        "/api/push": {"endpoint": "https://push.example", "p256dh": "A" * 87, "auth": "A" * 22},
        "/api/variants/chess/line": {"fen": "x", "moves": ["e2e4"]},
        "/api/analysis/pgn": {"pgn": "1. e4 *"},
    }
    tried = 0
    for (path, body), operator in itertools.product(good.items(), OPERATORS):
        for field in body:
            answer = await anna.post(path, 400, **{**body, field: operator})
            assert answer["code"] in ("bad_request", "unknown_variant"), (path, field, operator)
            tried += 1
        answer = await anna.post(path, 400, **body, **{"$where": operator})
        assert answer["code"] == "bad_request"
    for path in (
        "/@/%24gt",
        "/@/%7B%22%24gt%22%3A%22%22%7D",
        "/api/games/%24gt.......",
        "/games?player=%7B%24ne%3A1%7D",
    ):
        async with anna.http.get(path) as answer:
            assert answer.status in (200, 400, 404)
            assert "Anna" not in await answer.text()
    assert tried >= 200
    counted("payloads", tried)


NUMBERS = (-(10**9), -1, 0, 1, 60, 180, 181, 10_800, 10_801, 10**9, 10**30, 1.5, 60.0, "60", True, None, [60])


def fits(value, most):
    return type(value) is int and 0 <= value <= most


@pytest.mark.row("I9")
def test_only_clocks_in_bounds_are_accepted(counted):
    variants, tried, made = VARIANTS, 0, 0
    for initial, increment in itertools.product(NUMBERS, repeat=2):
        clock = {"kind": "realtime", "initial": initial, "increment": increment}
        good = fits(initial, 10_800) and fits(increment, 180) and (initial, increment) != (0, 0)
        made += good
        tried += 1
        assert is_made({"variant": "chess", "clock": clock}, variants) is good, clock
    for days in NUMBERS + tuple(range(2, 16)):
        good = type(days) is int and days in (1, 2, 3, 5, 7, 10, 14)
        made += good
        tried += 1
        assert is_made({"variant": "chess", "clock": {"kind": "correspondence", "days": days}}, variants) is good, days
    for extra in ({"boards": 40}, {"chess960": 1}, {"rated": "no"}, {"variant": "CHESS"}, {"variant": "../chess"}):
        assert not is_made({"variant": "chess", "clock": BLITZ, **extra}, variants), extra
    assert made > 20
    counted("settings", tried + 5)


def is_made(asked, variants):
    """Would this body make a game?"""
    try:
        terms_of(NewGame.model_validate_json(json.dumps(asked)), variants)
    except (ValueError, Refusal):
        return False
    return True
