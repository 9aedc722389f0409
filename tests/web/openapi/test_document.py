"""The OpenAPI document: every route of the API is in it, as its handler says, and it is valid."""

import re

import jsonschema_rs
import pytest
import schemathesis
from pydantic import TypeAdapter

from server.app import build_app
from server.rules.variant.rule_data import rule_data
from server.web.assets import find_assets
from server.web.budgets.limits import OF_ROUTES, Budget
from server.web.forms import Form
from server.web.games.api import VariantJson
from server.web.openapi.document import API, Shapes, document, path_of, summary
from server.web.openapi.operation import described, operation_of
from tests.support.rules.built_in import VARIANTS
from tests.support.web.described import closed
from tests.support.web.in_process import default_settings


@pytest.fixture
def app(tmp_path, monkeypatch):
    """A site with all that a host can switch on."""
    mail = {"smtp_url": "smtp://localhost:2525", "mail_from": "games@example.org"}
    return build_app(default_settings(tmp_path, monkeypatch, **mail), find_assets())


@pytest.fixture
def made(app):
    return document(app[OF_ROUTES], "http://localhost:8080", "sid")


def api_routes(app):
    """All but those of HEAD, which is like GET."""
    return [one for one in app.router.routes() if path_of(one).startswith(API) and one.method != "HEAD"]


def test_every_route_of_the_api_is_described(app):
    silent = [one for one in api_routes(app) if operation_of(one.handler) is None]
    assert silent == []
    assert len(api_routes(app)) > 30


def test_lichess_s_own_address_of_a_game_is_described_with_both_of_its_answers(made):
    answers = made["paths"]["/game/export/{game}"]["get"]["responses"]["200"]["content"]
    assert list(answers) == ["application/vnd.chess-pgn", "application/json"]


def test_what_handlers_say_begins_with_their_own_address(app):
    """So what a page of the API says cannot be about another route."""
    wrong = []
    for route in api_routes(app):
        said = " ".join(route.handler.__doc__.split())
        if not said.startswith(f"{route.method} {path_of(route)}: ") or not summary(route):
            wrong.append(f"{route.method} {path_of(route)} says {said[:80]!r}")
    assert wrong == []


def test_it_is_valid_openapi(made):
    schemathesis.openapi.from_dict(made).validate()
    names = [one["operationId"] for methods in made["paths"].values() for one in methods.values()]
    assert len(names) == len(set(names))


def test_all_that_it_refers_to_is_there(made):
    for kind, name in re.findall(r"'#/components/(\w+)/([^']+)'", str(made)):
        assert name in made["components"][kind]


def test_addresses_are_described_by_the_patterns_that_find_them(made):
    (asked,) = made["paths"]["/api/games/{game}"]["get"]["parameters"]
    assert asked["schema"] == {"type": "string", "pattern": "^[0-9A-Za-z]{10}$"}


def test_whatever_changes_something_names_its_origin_unless_it_may_come_from_anywhere(app):
    route = next(one for one in api_routes(app) if one.method == "POST")
    origin = {"$ref": "#/components/parameters/Origin"}
    for from_anywhere in (False, True):
        budgets = {route: Budget(from_anywhere=from_anywhere)}
        [methods] = document(budgets, "http://localhost:8080", "sid")["paths"].values()
        assert (origin in methods["post"]["parameters"]) is not from_anywhere


def test_two_shapes_of_one_name_are_refused():
    """Or the document would mean one of them where the other is."""
    shapes = Shapes()
    for kind in (int, int, str):
        shape = type("Alike", (Form,), {"__annotations__": {"x": kind}})
        if kind is int:
            shapes.sent_schema(shape)
        else:
            with pytest.raises(ValueError, match="Alike"):
                shapes.sent_schema(shape)


def test_what_wraps_a_handler_hands_on_what_was_said_of_it(app):
    """Handlers behind a cache, for one."""

    @described(answers={200: dict})
    async def handler(_):
        """GET /api/x: something."""

    assert operation_of(handler).answers == {200: dict}
    cached = next(one for one in api_routes(app) if path_of(one) == "/api/protocol")
    assert operation_of(cached.handler).cached


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_variants_are_as_described(variant):
    """Their data come from where no shape is known."""
    schema = closed(TypeAdapter(VariantJson).json_schema(mode="serialization"))
    jsonschema_rs.Draft202012Validator(schema).validate(rule_data(variant))


async def test_it_is_served(anna):
    served = await anna.get("/api/openapi.json")
    assert served["openapi"].startswith("3.1")
    assert served["servers"] == [{"url": "http://localhost:8080"}]
    assert "/api/games/{game}" in served["paths"]
