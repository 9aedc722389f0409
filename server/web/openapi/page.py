"""The description of the API over HTTP: the document for programs, and the page that people read, made from it."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from aiohttp import web

from server.web.budgets.limits import OF_ROUTES
from server.web.openapi.document import LINE, Schema, document
from server.web.openapi.operation import described
from server.web.rendering.answers import as_json, as_page
from server.web.rendering.page_cache import cached_for_all
from server.web.site import SITE

PUBLIC = {"Cache-Control": "public, max-age=300"}


def document_of(app: web.Application) -> Schema:
    """The OpenAPI document of this site."""
    site = app[SITE]
    budgets = app[OF_ROUTES]
    return document(budgets, site.settings.address, site.sessions.cookie)


@described(answers={200: dict[str, object]}, cached=True)
@cached_for_all
async def read_document(request: web.Request) -> web.Response:
    """GET /api/openapi.json: this description, as OpenAPI 3.1."""
    # In a thread, because it takes 60 ms.
    return as_json(await asyncio.to_thread(document_of, request.app), headers=PUBLIC)


@cached_for_all
async def api_page(request: web.Request) -> web.Response:
    """GET /api: the same to read."""
    made = await asyncio.to_thread(document_of, request.app)
    return await as_page(
        request,
        "openapi/api.html",
        groups=operations_by_group(made),
        shapes=made["components"]["schemas"],
        contents=contents,
        paragraphs_of=paragraphs_of,
        fields_of=fields_of,
        type_parts=type_parts,
    )


SHAPE = "#/components/schemas/"
TypePart = tuple[str, str]
"""A piece of a type as people read it, and the name of the shape that it is; "" for other text."""


def operations_by_group(made: Schema) -> Sequence[tuple[str, Sequence[tuple[str, str, Schema]]]]:
    """The operations of the document by group, each with its method and its path, in the order of the paths."""
    found = [(method.upper(), path, one) for path, methods in made["paths"].items() for method, one in methods.items()]
    found.sort(key=lambda each: (_group(each), each[1]))
    return [(name, list(some)) for name, some in groupby(found, _group)]


def _group(operation: tuple[str, str, Schema]) -> str:
    group: str = operation[2]["tags"][0]
    return group


def contents(body: Schema) -> Iterator[tuple[str, Sequence[TypePart]]]:
    """What a body or an answer may hold: a content type, "" for JSON and for no body, and the type of what is in it."""
    for media, held in body.get("content", {"": {}}).items():
        shape = held.get(LINE) or held.get("schema", {})
        yield "" if media == "application/json" else media, type_parts(shape) if shape else ()


def paragraphs_of(shape: Schema) -> Sequence[str]:
    """What is said of a shape."""
    return [" ".join(one.split()) for one in shape.get("description", "").split("\n\n") if one]


def fields_of(shape: Schema) -> Sequence[Schema]:
    """The fields of a shape, written like parameters."""
    required = shape.get("required", ())
    found = shape.get("properties", {}).items()
    return [{"name": name, "schema": schema, "required": name in required} for name, schema in found]


def type_parts(schema: Schema) -> Sequence[TypePart]:
    """The type as it is read, in the notation of a programming language."""
    return tuple(_type(schema))


def _type(schema: Schema) -> Iterator[TypePart]:
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(SHAPE)
        yield name, name
    elif options := schema.get("anyOf") or schema.get("oneOf"):
        yield from _joined([_type(one) for one in options], " | ")
    elif "const" in schema or "enum" in schema:
        yield " | ".join(_literal(one) for one in schema.get("enum", [schema.get("const")])), ""
    elif "prefixItems" in schema:
        yield "[", ""
        yield from _joined([_type(one) for one in schema["prefixItems"]], ", ")
        yield "]", ""
    elif schema.get("type") == "array":
        yield "[", ""
        yield from _type(schema.get("items", {}))
        yield ", …]" + _limits(schema, "minItems", "maxItems"), ""
    elif schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        yield "{string: ", ""
        yield from _type(schema["additionalProperties"])
        yield "}", ""
    else:
        yield _plain(schema), ""


def _joined(types: Sequence[Iterator[TypePart]], between: str) -> Iterator[TypePart]:
    for number, one in enumerate(types):
        if number:
            yield between, ""
        yield from one


def _plain(schema: Schema) -> str:
    """A type without parts, with what limits it."""
    kind = str(schema.get("type", "any"))
    if "pattern" in schema:
        return f"{kind} /{schema['pattern']}/"
    if kind == "string":
        return kind + _limits(schema, "minLength", "maxLength")
    return kind + _limits(schema, "minimum", "maximum")


def _limits(schema: Schema, least: str, most: str) -> str:
    """ " 1…40", or nothing."""
    if least not in schema and most not in schema:
        return ""
    return f" {schema.get(least, 0)}…{schema.get(most, '')}"


def _literal(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()
