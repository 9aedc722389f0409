"""Every answer of the API that a test gets is compared with the OpenAPI document, however the test came by it.

So it is with the shapes of lichess where the address is one of theirs.
"""

import gzip
import json
from copy import deepcopy

import jsonschema_rs
from aiohttp import web

from server.web.budgets.limits import OF_ROUTES
from server.web.openapi.document import API
from server.web.openapi.page import document_of
from tests.support.bots.lichess_shapes import watch_streams, wrong_answer
from tests.support.web.budgets import name_of


def strict(document):
    """The document with no room for fields that it does not name: clients must bear those, our tests do not."""
    document = deepcopy(document)
    closed(document["components"]["schemas"])
    return document


def closed(schema):
    """The schema itself, in which no object has fields without a name any more."""
    for each in objects(schema):
        each.setdefault("additionalProperties", False)
    return schema


def objects(schema):
    """All schemas with fields in it."""
    if isinstance(schema, dict):
        if "properties" in schema and schema.get("type") == "object":
            yield schema
        for each in schema.values():
            yield from objects(each)
    elif isinstance(schema, list):
        for each in schema:
            yield from objects(each)


class Described:
    """The strict document of sites that have the same routes, with a validator of each kind of answer in it."""

    def __init__(self, document):
        self.paths = document["paths"]
        self.components = document["components"]
        self._validators = {}

    def errors(self, schema, body):
        key = json.dumps(schema)
        if key not in self._validators:
            self._validators[key] = jsonschema_rs.Draft202012Validator({**schema, "components": self.components})
        return [f"{error.message} at {error.instance_path}" for error in self._validators[key].iter_errors(body)]


KNOWN = {}


def described(app):
    """What the app says of itself. Made once for all sites with these routes, as it takes longer than most tests."""
    routes = frozenset(map(name_of, app[OF_ROUTES]))
    if routes not in KNOWN:
        KNOWN[routes] = Described(strict(document_of(app)))
    return KNOWN[routes]


class Watch:
    """A middleware that keeps what `wrong` answers are; put it before all others."""

    def __init__(self):
        self.wrong = []
        self._described = None

    async def __call__(self, request, handler):
        answer = await handler(request)
        left = request.transport is None or request.transport.is_closing()
        if request.path.startswith((API, "/game/export/")) and isinstance(answer, web.Response) and not left:
            self.compare(request, answer)
        return answer

    def compare(self, request, answer):
        if self._described is None:
            self._described = described(request.app)
        resource = request.match_info.route.resource
        operation = resource and self._described.paths.get(resource.canonical, {}).get(request.method.lower())
        if not operation:
            return
        self.wrong += wrong_answer(request, resource.canonical, answer.status, answer.content_type, plain(answer))
        where = f"{request.method} {request.path} {answer.status}"
        said = operation["responses"].get(str(answer.status))
        if said is None:
            self.wrong.append(f"{where} is not described: {answer.body!r:.300}")
            return
        if "$ref" in said:
            said = self._described.components["responses"][said["$ref"].rsplit("/", 1)[1]]
        media = said.get("content", {})
        if not media:
            self.wrong += [f"{where} has a body"] if answer.body else []
        elif answer.content_type not in media:
            self.wrong.append(f"{where} is {answer.content_type}, not one of {sorted(media)}")
        elif answer.content_type == "application/json":
            errors = self._described.errors(media[answer.content_type]["schema"], json.loads(plain(answer)))
            self.wrong += [f"{where}: {error}" for error in errors]


def plain(answer):
    """The bytes of the body as they were before they were packed."""
    body = answer.body
    packed = answer.headers.get("Content-Encoding") == "gzip" and body[:2] == b"\x1f\x8b"
    return gzip.decompress(body) if packed else body


def watch(app):
    """Compares what the app answers, from its start on."""
    watching = Watch()

    @web.middleware
    async def compare(request, handler):
        return await watching(request, handler)

    app.middlewares.insert(0, compare)
    watch_streams(app, watching.wrong)
    return watching
