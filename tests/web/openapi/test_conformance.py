"""schemathesis reads the OpenAPI document and asks for all that it allows, and for what it does not.

No answer is a fault of the server's, and none has a status, a content type or a shape that the document does not name.
"""

import asyncio
from copy import deepcopy

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.tournaments.tournament import Scoring, TournamentTerms
from server.storage.tables.puzzles import Searched
from server.web.lessons import LESSONS
from server.web.openapi.operation import PGN
from server.web.openapi.page import document_of
from server.web.site import SITE
from tests.support.puzzles import SMOTHERED
from tests.support.web.accounts import register
from tests.support.web.described import strict
from tests.support.web.fixtures import unlimited
from tests.support.web.origins import ORIGIN
from tests.support.web.people import FOOLS_MATE, play

__all__ = ["unlimited"]

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
GAMES = ["1. e4 e5 2. Nf3 *", '[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5', "1. Ke9 1-0", ""]
PGNS = (st.sampled_from(GAMES) | st.text()).map(lambda text: text.encode(errors="ignore"))
"""What schemathesis cannot make up by itself."""
FAULTS = (AssertionError, FailureGroup, Failure)
EXAMPLES, FEW_EXAMPLES = 12, 5
"""Of each kind for each operation, with --full and in every run."""


schemathesis.openapi.media_type(PGN, PGNS)


async def played(anna, ben):
    """The id of a game that is over."""
    game = await anna.challenge()
    await ben.join(game)
    async with anna.follow(game) as white, ben.follow(game) as black:
        await play([white, black], FOOLS_MATE)
    return game["id"]


async def announced(server, kind):
    """The id of a tournament of that kind that begins soon."""
    now, organiser = server.app[SITE].now(), Player("organiser0", "Olga")
    many = {"arena": {"minutes": 60}, "swiss": {"minutes": 0, "rounds": 3, "scoring": Scoring.PLAIN, "berserk": False}}
    terms = TournamentTerms(
        "Cup", kind, "chess", False, TimeControl.realtime(60_000, 0), False, now + 600_000, **many[kind]
    )
    return (await server.app[SITE].live.tournaments.announce(organiser, terms, f"{kind} key")).id


async def known_parts(server, anna, ben):
    """What there is under each name of a part of an address, or no answer but 404 would ever be seen."""
    open_game = (await anna.challenge())["id"]
    clock = {"kind": "realtime", "initial": 300, "increment": 0}
    seek = (await ben.post("/api/seeks", 201, variants=["chess"], clock=clock))["seek"]["id"]
    await server.app[SITE].store.puzzles.keep_puzzles(Searched("game", "chess", 1), [SMOTHERED])
    lesson = next(iter(server.app[LESSONS].lessons.values()))
    alert = (await anna.post("/api/alerts", 201))["id"]
    study = await anna.post("/api/studies", name="Traps", chapter="First", pgn="1. e4 e5 *")
    return {
        "game": [await played(anna, ben), open_game, "0123456789"],
        "variant": [*server.app[SITE].variants, "nonesuch"],
        "seek": [seek, "0123456789"],
        "alert": [alert, "0123456789"],
        "study": [study["id"], "0" * 22],
        "chapter": [study["chapters"][0]["id"], "0123456789"],
        "puzzle": [SMOTHERED.id, "nonesuch"],
        "lesson": [lesson.id, "nonesuch"],
        "name": ["Anna", "nobody"],
        "tournament": [await announced(server, kind) for kind in ("arena", "swiss")] + ["0123456789"],
        "uci": ["e2e4", "e"],
        "answer": ["yes", "no", "maybe"],
        "step": [*(step.id for step in (*lesson.intro, *lesson.tasks)), "nonesuch"],
    }


def with_parts(document, parts):
    """The document with those parts of addresses, and variants that there are."""
    document = deepcopy(document)
    shapes, variant = document["components"]["schemas"], {"enum": parts["variant"]}
    shapes["NewGame"]["properties"]["variant"] = variant
    shapes["NewSeek"]["properties"]["variants"]["items"] = variant
    for methods in document["paths"].values():
        for operation in methods.values():
            for asked in operation["parameters"]:
                if asked.get("in") == "path":
                    asked["schema"] = {"enum": parts[asked["name"]]}
    return document


def ask(operation, mode, site, cookies, number, examples):
    """Asks as the document says or, in the negative mode, as it does not."""
    session = requests.Session()

    @seed(number)
    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=examples,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def one(case):
        case.headers = {name: value for name, value in (case.headers or {}).items() if name != "Origin"}
        answer = case.call(base_url=site, session=session, headers={"Origin": ORIGIN}, cookies=cookies, timeout=20)
        case.validate_response(answer, checks=CHECKS)

    try:
        one()
    except Unsatisfiable:
        # Nothing that could be asked of it would be wrong.
        assert mode is GenerationMode.NEGATIVE
    finally:
        session.close()


@pytest.mark.slow
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.usefixtures("unlimited")
async def test_every_answer_is_described(server, anna, ben, seed, mode, full):
    await register(anna, "Anna")
    parts = await known_parts(server, anna, ben)
    document = with_parts(strict(document_of(server.app)), parts)
    site = f"http://127.0.0.1:{server.port}"
    cookies = {cookie.key: cookie.value for cookie in anna.http.cookie_jar}
    operations = [found.ok() for found in schemathesis.openapi.from_dict(document).get_all_operations()]
    assert len(operations) == sum(map(len, document["paths"].values()))
    faults = []
    for operation in operations:
        try:
            await asyncio.to_thread(ask, operation, mode, site, cookies, seed, EXAMPLES if full else FEW_EXAMPLES)
        except FAULTS as fault:
            faults.append(f"{operation.label}: {fault}")
    assert faults == []
