"""The OpenAPI document, made from the routes themselves: their addresses, their budgets, and what their handlers say.

Each shape has its JSON Schema once, under its name. Knows no page.
"""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final, TypeAlias

from aiohttp import web
from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from server.realtime.protocol.schema import left_out
from server.web.budgets.limits import Budget
from server.web.openapi.operation import JSON, NDJSON, PNG, Media, Operation, Refused, Shape, operation_of

Schema: TypeAlias = dict[str, Any]
PLACE: Final = "#/components/schemas/{model}"


class Shapes:
    """Collects the schemas of one document."""

    def __init__(self) -> None:
        self.named: dict[str, Schema] = {}

    def sent_schema(self, shape: Any) -> Schema:
        """The schema of what a client sends."""
        return self._schema(shape, "validation")

    def answer_schema(self, shape: Any) -> Schema:
        """The schema of what the server answers."""
        return self._schema(shape, "serialization")

    def _schema(self, shape: Any, mode: Any) -> Schema:
        made = TypeAdapter(shape).json_schema(mode=mode, ref_template=PLACE, schema_generator=WithoutTitles)
        for name, schema in made.pop("$defs", {}).items():
            self._name(name, schema)
        if not isinstance(shape, type):
            return made
        self._name(shape.__name__, made)
        return {"$ref": PLACE.format(model=shape.__name__)}

    def _name(self, name: str, schema: Schema) -> None:
        """Raises ValueError if another shape has that name: the document would mean the wrong one."""
        if self.named.setdefault(name, schema) != schema:
            raise ValueError(f"Two different shapes are called {name}.")


class WithoutTitles(GenerateJsonSchema):
    """Titles only repeat the names of fields."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def model_schema(self, schema: Any) -> Schema:
        made = super().model_schema(schema)
        if self.mode == "serialization":
            # As `encode` does, answers leave out what is None in a message.
            fields = made.get("properties", {})
            made["required"] = [name for name, field in fields.items() if not left_out(field)]
        return made

    def generate(self, schema: Any, mode: Any = "validation") -> Schema:
        made = super().generate(schema, mode)
        for each in (made, *made.get("$defs", {}).values()):
            each.pop("title", None)
        return made


def parameters(schema: Schema) -> list[Schema]:
    """The fields of a form as parameters of a query, in the order of its fields."""
    required: Mapping[str, Any] = dict.fromkeys(schema.get("required", ()))
    return [
        {"name": name, "in": "query", "required": name in required, "schema": shape}
        for name, shape in schema.get("properties", {}).items()
    ]


API: Final = "/api/"
READING: Final = ("GET", "HEAD")
ALWAYS: Final = (403, 415, 421, 429, 500, 503)
"""Any request can come from another site, be encoded, name another host, exceed a limit, or find the store unavailable.
"""
WITH_BODY: Final = (400, 408, 411, 413)
LINE: Final = "x-line"
"""Where the shape of each line of a stream stands, for which OpenAPI 3.1 has no place."""
LATER: Final = (429, 503)
"""These say when to ask again."""

ABOUT: Final = """Everything that the pages do, other programs can do too. A cookie is the person: the first request \
that changes something sets it. Such requests name this site as their Origin. Every refusal has the shape Refused. \
Times are in milliseconds since 1970, unless said otherwise; moves are UCI. /protocol explains the live games."""


def document(budgets: Mapping[web.AbstractRoute, Budget], site: str, cookie: str) -> Schema:
    """The whole document, JSON-able. `site`: the address of this site; `cookie`: the name of the session's cookie."""
    shapes = Shapes()
    paths: dict[str, Schema] = {}
    routes = [one for one in budgets if operation_of(one.handler) is not None and one.method != "HEAD"]
    for route in sorted(routes, key=path_of):
        paths.setdefault(path_of(route), {})[route.method.lower()] = _operation(route, budgets[route], shapes)
    refused = shapes.answer_schema(Refused)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Fairyhouse", "version": "1", "description": ABOUT},
        "servers": [{"url": site}],
        "security": [{}, {"session": []}],
        "paths": paths,
        "components": {
            "schemas": dict(sorted(shapes.named.items())),
            "responses": {str(status): _refusal(status, refused) for status in sorted({*ALWAYS, *WITH_BODY, *OTHERS})},
            "parameters": {"Origin": _origin(site)},
            "securitySchemes": {
                "session": {"type": "apiKey", "in": "cookie", "name": cookie},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
    }


OTHERS: Final = (401, 404, 409, 410)


def path_of(route: web.AbstractRoute) -> str:
    """The path with its parameters in braces, as OpenAPI writes it; "": the route has none."""
    return "" if route.resource is None else route.resource.canonical


def _operation(route: web.AbstractRoute, budget: Budget, shapes: Shapes) -> Schema:
    said = operation_of(route.handler)
    assert said is not None
    asked = [*_in_path(route), *([] if said.query is None else _in_query(said, shapes))]
    if route.method not in READING and not budget.from_anywhere:
        asked.append({"$ref": "#/components/parameters/Origin"})
    name = re.sub(r"\W+", "_", path_of(route).removeprefix(API)).strip("_")
    made: Schema = {
        "operationId": f"{route.method.lower()}_{name}",
        "tags": [re.split(r"[/.]", path_of(route).removeprefix("/").removeprefix("api/"))[0]],
        "summary": summary(route),
        "parameters": asked,
        "responses": _answers(route, said, shapes),
    }
    if said.body is not None:
        made["requestBody"] = {"required": True, "content": _content(said.body, shapes.sent_schema)}
    if said.scopes is not None:
        made["security"] = [{"token": list(said.scopes)}, {"session": []}]
    return made


def summary(route: web.AbstractRoute) -> str:
    """What the handler's docstring says of it, but for the address that it begins with and what it raises."""
    said = " ".join((route.handler.__doc__ or "").split())
    said = re.sub(r"^(?:[A-Z]+ [^\s:]+(?:, )?)+:? ?", "", said)
    told = [one for one in re.split(r"(?<=\.) ", said) if not one.startswith("Raises ")]
    return " ".join(told)[:1].upper() + " ".join(told)[1:]


def _in_path(route: web.AbstractRoute) -> list[Schema]:
    """The parts of the address that vary. Their patterns are those by which the router finds the handler."""
    assert route.resource is not None
    pattern = route.resource.get_info().get("pattern")
    found = [] if pattern is None else re.findall(r"\(\?P<(\w+)>(\[[^\]]+\](?:\+|\{\d+\}))\)", pattern.pattern)
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "pattern": f"^{part}$"}}
        for name, part in found
    ]


def _in_query(said: Operation, shapes: Shapes) -> list[Schema]:
    assert said.query is not None
    shapes.sent_schema(said.query)
    return parameters(shapes.named.pop(said.query.__name__))


def _answers(route: web.AbstractRoute, said: Operation, shapes: Shapes) -> Schema:
    refused = {*ALWAYS, *said.refused}
    refused |= set() if said.body is None else set(WITH_BODY)
    refused |= {404} if _in_path(route) else set()
    refused |= {400} if said.query is not None else set()
    answers: Schema = {
        str(status): {"description": HTTPStatus(status).phrase, "content": _content(shape, shapes.answer_schema)}
        for status, shape in said.answers.items()
    }
    if said.cached:
        answers["304"] = {"description": "Not Modified: it is what the ETag in If-None-Match stands for"}
    for status in sorted(refused - said.answers.keys()):
        answers[str(status)] = {"$ref": f"#/components/responses/{status}"}
    return answers


def _content(shape: Shape, schema_of: Any) -> Schema:
    if isinstance(shape, tuple):
        return {media: held for each in shape for media, held in _content(each, schema_of).items()}
    if not isinstance(shape, Media):
        return {JSON: {"schema": schema_of(shape)}}
    if shape.content_type == NDJSON:
        return {NDJSON: {"schema": {"type": "string"}, LINE: schema_of(shape.shape)}}
    if shape.content_type == PNG:
        return {PNG: {}}
    return {shape.content_type: {"schema": {"type": "string"} if shape.shape is None else schema_of(shape.shape)}}


def _refusal(status: int, refused: Schema) -> Schema:
    made: Schema = {"description": HTTPStatus(status).phrase, "content": {JSON: {"schema": refused}}}
    if status in LATER:
        seconds = {"description": "After how many seconds to ask again", "schema": {"type": "integer"}}
        made["headers"] = {"Retry-After": seconds}
    return made


def _origin(site: str) -> Schema:
    return {"name": "Origin", "in": "header", "required": True, "schema": {"type": "string", "enum": [site]}}
