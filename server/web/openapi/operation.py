"""What a route of the API takes and answers, said beside its handler. Knows no handler and writes no document.

The first sentences of a handler's docstring say what it does; `described` adds the shapes. Whatever holds for a route
by its address and its budget (that a game may not exist, that a body may be too large) is not repeated there.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NotRequired, TypeVar

from aiohttp.typedefs import Handler
from pydantic import BaseModel
from typing_extensions import TypedDict

HandlerType = TypeVar("HandlerType", bound=Callable[..., Any])

JSON: Final = "application/json"
FORM: Final = "application/x-www-form-urlencoded"
TEXT: Final = "text/plain"
NDJSON: Final = "application/x-ndjson"
"""A stream of lines, each of which is JSON, or empty to keep the connection alive."""
PGN: Final = "application/vnd.chess-pgn"
SVG: Final = "image/svg+xml"
PNG: Final = "image/png"


class Nothing(TypedDict):
    """An empty object: it was done, and there is nothing to tell."""


class Refused(TypedDict):
    """Why a request was refused. `code` groups reasons, `refusal` is the id of this one; both stay the same.

    `params` fill the sentence `message`, which is in the language that Accept-Language asks for. `detail` is about
    input of the wrong shape, in English. `error`: the same as `message`, where lichess has it.
    """

    code: str
    refusal: str
    message: str
    error: str
    params: NotRequired[dict[str, str | int]]
    detail: NotRequired[str]


class RefusedLine(Refused):
    """`ply`: which move is to blame, from 0; null: none."""

    ply: NotRequired[int | None]


@dataclass(frozen=True, slots=True)
class Media:
    """A body that is not one JSON object: its content type, and the shape of what it holds; None: text or a picture."""

    content_type: str
    shape: Any = None


Shape = Any
"""A class of pydantic or a TypedDict, sent as JSON; Media; or a tuple of these, of which Accept chooses."""


@dataclass(frozen=True, slots=True)
class Operation:
    """`query`: the parameters behind the ? of the address. `answers`: the shape of each, by status.

    `refused`: other statuses with which it answers `Refused`, beside those that follow from address and budget.
    `scopes`: what a token has to allow; None: it takes no token. `cached`: it has an ETag, and may answer 304.
    """

    answers: Mapping[int, Shape]
    body: Shape = None
    query: type[BaseModel] | None = None
    refused: Collection[int] = field(default=())
    scopes: Collection[str] | None = None
    cached: bool = False


OPERATION: Final = "__operation__"
TOKENS: Final = "__tokens__"
"""Attributes of a handler; `functools.wraps` hands them on to what wraps the handler."""


def described(
    *,
    answers: Mapping[int, Shape],
    body: Shape = None,
    query: type[BaseModel] | None = None,
    refused: Collection[int] = (),
    cached: bool = False,
) -> Callable[[HandlerType], HandlerType]:
    """Says what the handler below it takes and answers, beside what `takes_tokens` has said; see `Operation`."""

    def describe(handler: HandlerType) -> HandlerType:
        operation = Operation(answers, body, query, refused, getattr(handler, TOKENS, None), cached)
        setattr(handler, OPERATION, operation)
        return handler

    return describe


def takes_tokens(handler: HandlerType, scopes: Collection[str]) -> HandlerType:
    """Says that a handler takes tokens that allow one of `scopes` (none: any token), which it checks itself."""
    setattr(handler, TOKENS, scopes)
    return handler


def operation_of(handler: Handler) -> Operation | None:
    """What was said of the handler; None: nothing."""
    found: Operation | None = getattr(handler, OPERATION, None)
    return found
