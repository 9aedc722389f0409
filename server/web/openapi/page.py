"""The OpenAPI document as its page shows it: operations by group, and the shapes they refer to. Knows no markup."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from server.web.openapi.document import LINE
from server.web.openapi.shapes import Schema

ORIGIN = "Origin"
SHAPE = "#/components/schemas/"
RESPONSE = "#/components/responses/"


@dataclass(frozen=True, slots=True)
class TypePart:
    """A piece of a type as people read it. `shape`: the name of the shape that it is, "" for other text."""

    text: str
    shape: str = ""


Type = Sequence[TypePart]


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter or a field of a shape. `place`: path or query, "" in a shape."""

    name: str
    type: Type
    required: bool
    place: str = ""


@dataclass(frozen=True, slots=True)
class ResponseShown:
    """`media`: its content type, "" if it is JSON or has no body."""

    status: str
    type: Type
    media: str


@dataclass(frozen=True, slots=True)
class OperationShown:
    """`id`: its anchor. `refused`: the statuses of refusals. `scopes`: what a token must allow; None: it takes none."""

    id: str
    group: str
    method: str
    path: str
    summary: str
    parameters: Sequence[Field]
    body: ResponseShown | None
    answers: Sequence[ResponseShown]
    refused: Sequence[str]
    scopes: Sequence[str] | None


@dataclass(frozen=True, slots=True)
class ShapeShown:
    """`paragraphs`: what is said of it. `type`: of one without fields."""

    name: str
    paragraphs: Sequence[str]
    fields: Sequence[Field]
    type: Type


@dataclass(frozen=True, slots=True)
class ApiShown:
    """`about`: what holds for all operations."""

    about: str
    groups: Sequence[tuple[str, Sequence[OperationShown]]]
    shapes: Sequence[ShapeShown]


def read_page(document: Schema) -> ApiShown:
    """What the page of a document shows."""
    found = [
        _operation(method.upper(), path, one)
        for path, methods in document["paths"].items()
        for method, one in methods.items()
    ]
    found.sort(key=attrgetter("group", "path"))
    groups = [(name, list(some)) for name, some in groupby(found, attrgetter("group"))]
    shapes = [_shape(name, schema) for name, schema in document["components"]["schemas"].items()]
    return ApiShown(document["info"]["description"], groups, shapes)


def _operation(method: str, path: str, one: Schema) -> OperationShown:
    body = one.get("requestBody")
    answers = [(status, answer) for status, answer in one["responses"].items() if not _is_refusal(answer)]
    return OperationShown(
        id=one["operationId"],
        group=one["tags"][0],
        method=method,
        path=path,
        summary=one["summary"],
        parameters=[_parameter(each) for each in one["parameters"] if "$ref" not in each],
        body=None if body is None else next(_contents("", body)),
        answers=[each for status, answer in answers for each in _contents(status, answer)],
        refused=[status for status, answer in one["responses"].items() if _is_refusal(answer)],
        scopes=next((each["token"] for each in one.get("security", ()) if "token" in each), None),
    )


def _is_refusal(answer: Schema) -> bool:
    return str(answer.get("$ref", "")).startswith(RESPONSE)


def _parameter(said: Schema) -> Field:
    return Field(said["name"], tuple(_type(said["schema"])), bool(said["required"]), said["in"])


def _contents(status: str, said: Schema) -> Iterator[ResponseShown]:
    """One response for each content type."""
    for media, held in said.get("content", {"": {}}).items():
        shape = held.get(LINE) or held.get("schema", {})
        yield ResponseShown(status, tuple(_type(shape)) if shape else (), "" if media == "application/json" else media)


def _shape(name: str, schema: Schema) -> ShapeShown:
    required = schema.get("required", ())
    fields = [Field(each, tuple(_type(one)), each in required) for each, one in schema.get("properties", {}).items()]
    paragraphs = [" ".join(one.split()) for one in schema.get("description", "").split("\n\n") if one]
    return ShapeShown(name, paragraphs, fields, () if fields or "properties" in schema else tuple(_type(schema)))


def _type(schema: Schema) -> Iterator[TypePart]:
    """The type as it is read, in the notation of a programming language."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(SHAPE)
        yield TypePart(name, name)
    elif options := schema.get("anyOf") or schema.get("oneOf"):
        yield from _joined([_type(one) for one in options], " | ")
    elif "const" in schema or "enum" in schema:
        yield TypePart(" | ".join(_literal(one) for one in schema.get("enum", [schema.get("const")])))
    elif "prefixItems" in schema:
        yield TypePart("[")
        yield from _joined([_type(one) for one in schema["prefixItems"]], ", ")
        yield TypePart("]")
    elif schema.get("type") == "array":
        yield TypePart("[")
        yield from _type(schema.get("items", {}))
        yield TypePart(", …]" + _limits(schema, "minItems", "maxItems"))
    elif schema.get("type") == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        yield TypePart("{string: ")
        yield from _type(schema["additionalProperties"])
        yield TypePart("}")
    else:
        yield TypePart(_plain(schema))


def _joined(types: Sequence[Iterator[TypePart]], between: str) -> Iterator[TypePart]:
    for number, one in enumerate(types):
        if number:
            yield TypePart(between)
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
