"""Answers of the site at the addresses that lichess gave their names, compared with the shapes that it has published.

`lichess_shapes.json` states them in JSON Schema, as of August 2026, without what nothing of this site has: which shape
each address answers with, by status, and the shapes. What only this site has is allowed beside them: its other
variants, and more fields.
"""

import json
import re
from copy import deepcopy
from pathlib import Path

import jsonschema_rs
from aiohttp import web

from server.web.bots.shapes import variant_name
from tests.support.rules.built_in import VARIANTS

PUBLISHED = json.loads(Path(__file__).with_suffix(".json").read_text())
PGN = ("application/vnd.chess-pgn", "application/x-chess-pgn")
ANYWHERE = {"401", "403", "404", "405", "408", "411", "413", "415", "421", "429", "500", "503"}
"""Statuses with which any address may refuse: lichess lists none of them, and has most."""


def with_own_variants(defined):
    """The shapes with room for the variants that only this site has, wherever one stands."""
    defined = deepcopy(defined)
    own = {variant_name(one, chess960=chess960).key for one in VARIANTS.values() for chess960 in (False, True)}
    for name in ("variantKey", "perfKey"):
        defined[name]["enum"] += sorted(own - set(defined[name]["enum"]))
    return defined


class Shapes:
    """Validators of the shapes by their names."""

    def __init__(self, defined):
        self._validators = {
            name: jsonschema_rs.validator_for({"$ref": f"#/$defs/{name}", "$defs": defined}) for name in defined
        }

    def errors(self, shape, answer):
        return [f"{error.message} at {error.instance_path}" for error in self._validators[shape].iter_errors(answer)]


STRICT = Shapes(PUBLISHED["$defs"])
"""For games that lichess has, too."""
OURS = Shapes(with_own_variants(PUBLISHED["$defs"]))


def expected(method, path):
    """What lichess answers at that address of ours, by status; None: it has no such address."""
    return PUBLISHED["answers"].get(f"{method} {re.sub(r'{[^}]+}', '{}', path)}")


def wrong_answer(request, path, status, content_type, body):
    """What is wrong about an answer of the site at `path`, an address of its routes."""
    said = expected(request.method, path)
    if said is None:
        return []
    where = f"{request.method} {request.path} {status}, unlike lichess:"
    shape = said.get(str(status), "error" if str(status) in ANYWHERE else None)
    if shape is None and status == 400 and "detail" in json.loads(body):
        # A query or a body of the wrong shape can come anywhere.
        shape = "error"
    if shape is None:
        return [f"{where} it never answers so, but with {sorted(said)}"]
    lines = isinstance(shape, dict)
    if content_type in PGN:
        return []
    if content_type != ("application/x-ndjson" if lines else "application/json"):
        return [f"{where} it is {content_type}"]
    answers = [line for line in body.splitlines() if line.strip()] if lines else [body]
    name = shape["lines"] if lines else shape
    return [f"{where} {error}" for one in answers for error in OURS.errors(name, json.loads(one))]


def watch_streams(app, wrong):
    """Compares, from the start of `app` on, each line of its streams, and keeps what is wrong in `wrong`."""

    async def listen(request, answer):
        resource = request.match_info.route.resource
        if isinstance(answer, web.Response) or resource is None or not expected(request.method, resource.canonical):
            return
        write, kind = answer.write, answer.content_type

        async def written(data):
            wrong.extend(wrong_answer(request, resource.canonical, answer.status, kind, bytes(data)))
            await write(data)

        answer.write = written

    app.on_response_prepare.append(listen)
