"""How what people and programs send is read: the body, within the budget of its route, then as a strict model.

Programs send JSON, pages without a script the fields of a form; each kind of body is a model of its own, beside what
answers it. A body must declare its length. The length is checked and memory is reserved before a byte is read, so
neither many bodies nor an endless one can fill the memory. Decides nothing.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, TypeVar
from urllib.parse import parse_qsl

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from server.rules.variant.pieces import Color
from server.web.budgets.callers import address_key
from server.web.budgets.limits import BUDGET
from server.web.rendering.problems import Problem
from server.web.site import SITE

FIELDS = "application/x-www-form-urlencoded"
MAX_FIELDS = 10

LOCAL_PATH = re.compile(r"^(?:/(?:[0-9A-Za-z@][0-9A-Za-z@._~/-]{0,200})?)?$")
"""A path on this site, "" for none. No slash can follow the first one, as that would name another site."""
LOCAL_ADDRESS = re.compile(LOCAL_PATH.pattern.removesuffix("$") + r"(?:\?[0-9A-Za-z%&=+._~,:;@!*()'/-]{0,1000})?$")
"""The same with its query."""
LocalAddress = Annotated[str, Field(pattern=LOCAL_ADDRESS.pattern)]
NameField = Annotated[str, StringConstraints(max_length=64, strip_whitespace=True)]
"""A name that was typed: phones put a space behind a word that they complete, and no name has one."""
Password = Annotated[str, Field(max_length=512)]
"""Only bounds the work; what is allowed is decided elsewhere."""

FIRST_SECONDS: Final = 9.0
"""The most that a small body may take."""
MIN_PER_SECOND: Final = 20_000
"""Bytes; each time that many have arrived, a large body gets another second, so 1 MB has a minute."""
HANG_UP_SECONDS: Final = 1.0
"""How long a refusal may take to arrive while the body still trickles in; aiohttp would read on for ten seconds."""

SMALL: Final = 8_192
"""Bytes. Bodies up to this size reserve no memory, so other people's large ones never delay them."""
MEMORY: Final = 24_000_000
"""Bytes of memory for all larger bodies under way."""
MEMORY_PER_ADDRESS: Final = 4_200_000
"""The same for one address: four files of the largest size."""

COLORS = {"white": Color.WHITE, "black": Color.BLACK}
"""By their names in forms; anything else means either."""

VariantId = Annotated[str, Field(min_length=1, max_length=40)]


class Form(BaseModel):
    """What reads a form is made when the first such form comes: 0.5 ms then, instead of 60 ms for all at the start."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


FormType = TypeVar("FormType", bound=Form)

ModelType = TypeVar("ModelType", bound=BaseModel)


async def read_form(request: web.Request, form: type[FormType]) -> FormType:
    """The body as `form`. Raises Problem: not JSON (415), not in time (408), not of this shape (400)."""
    if request.content_type != "application/json":
        raise Problem(415, "not_json")
    return parse_json(await read_body(request), form)


async def read_fields(request: web.Request, form: type[FormType]) -> FormType:
    """The fields as `form`. Raises Problem: not a page's form (415), not in time (408), not of this shape (400)."""
    if request.content_type != FIELDS:
        raise Problem(415, "not_form")
    return parse_fields(await read_body(request), form)


async def read_body(request: web.Request) -> bytes:
    """The body of a request, within the budget of its route. Call it once per request.

    Raises Problem: no length (411), too large (413), no memory now (503), too slow (408); the last one also closes the
    connection. Raises ConnectionResetError if the sender has left.
    """
    if not request.body_exists:
        return b""
    size = request.content_length
    if size is None:
        raise Problem(411, "length_required")
    if size > request[BUDGET].body:
        raise Problem(413, "too_large", n=request[BUDGET].body // 1000)
    address = address_key(request, request.app[SITE].settings)
    with request.app[BODY_MEMORY].reserved(address, size):
        try:
            return await _arriving(request)
        except TimeoutError:
            if request.transport is not None:
                asyncio.get_running_loop().call_later(HANG_UP_SECONDS, request.transport.close)
            raise Problem(408, "slow") from None


async def _arriving(request: web.Request) -> bytes:
    """A body of declared length; the parser reads nothing beyond it. Raises TimeoutError, ConnectionResetError."""
    body = bytearray()
    began = asyncio.get_running_loop().time()
    async with asyncio.timeout_at(began + FIRST_SECONDS) as limit:
        while not request.content.at_eof():
            if request.transport is None:
                raise ConnectionResetError("The sender of a body has left.")
            body += await request.content.readany()
            limit.reschedule(began + FIRST_SECONDS + len(body) / MIN_PER_SECOND)
    return bytes(body)


@dataclass(slots=True)
class BodyMemory:
    """The memory reserved for bodies under way, in bytes, by network address."""

    taken: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def reserved(self, address: str, size: int) -> Iterator[None]:
        """Reserves memory for a body of `size` bytes until the block ends. Raises Problem (503) if there is none."""
        if size <= SMALL:
            yield
            return
        if self.taken[address] + size > MEMORY_PER_ADDRESS or self.taken.total() + size > MEMORY:
            raise Problem(503, "bodies_busy", retry_after=10)
        self.taken[address] += size
        try:
            yield
        finally:
            self.taken[address] -= size
            if not self.taken[address]:
                del self.taken[address]


BODY_MEMORY = web.AppKey("BODY_MEMORY", BodyMemory)


def parse_json(body: bytes, form: type[FormType]) -> FormType:
    """The JSON `body` as `form`. Raises Problem (400)."""
    try:
        asked = form.model_validate_json(body)
        json.loads(body, object_pairs_hook=require_unique_keys)
    except ValidationError as error:
        raise Problem(400, "bad_request", detail=first_error(error)) from None
    return asked


def require_unique_keys(pairs: list[tuple[str, Any]]) -> None:
    """Raises Problem (400) if a key of one JSON object is repeated: which value counts would depend on the parser."""
    if len({key for key, _ in pairs}) < len(pairs):
        raise Problem(400, "bad_request", detail="A key stands in it twice.")


def parse_fields(body: bytes, form: type[FormType]) -> FormType:
    """The urlencoded `body` as `form`. Raises Problem (400)."""
    return validate_fields(parse_pairs(body, max(MAX_FIELDS, len(form.model_fields))), form)


def parse_pairs(body: bytes, most: int = MAX_FIELDS) -> dict[str, str]:
    """The fields of the urlencoded `body`, `most` of them. Raises Problem (400)."""
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=True, max_num_fields=most)
    except ValueError:
        raise Problem(400, "bad_request", detail="The fields of the form cannot be read.") from None
    if len(dict(pairs)) < len(pairs):
        raise Problem(400, "bad_request", detail="Send each field once.")
    return dict(pairs)


def read_page_query(request: web.Request, model: type[ModelType]) -> ModelType:
    """The fields of `model` in a page's address. Raises Problem (400)."""
    return validate_fields(known_query(request, model), model)


def known_query(request: web.Request, model: type[BaseModel]) -> dict[str, str]:
    """What the address of a page gives for `model`, without parameters that sites add to links which they show."""
    return {name: value for name, value in request.query.items() if name in model.model_fields}


def validate_fields(fields: Mapping[str, str], model: type[ModelType]) -> ModelType:
    """The fields of an address or a form as `model`. Raises Problem (400)."""
    try:
        return model.model_validate(dict(fields))
    except ValidationError as error:
        raise Problem(400, "bad_request", detail=first_error(error)) from None


def first_error(error: ValidationError) -> str:
    """The first thing that is wrong, and where."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    reason = first["msg"].removeprefix("Value error, ").rstrip(".")
    return f"{place}: {reason}."[:300] if place else f"{reason}."[:300]


def local_path(text: str) -> str:
    """`text`, if it is a path on this site, else ""."""
    return text if LOCAL_PATH.fullmatch(text) else ""


def local_address(text: str) -> str:
    """`text`, if it is a page on this site, with or without a query, else ""."""
    return text if LOCAL_ADDRESS.fullmatch(text) else ""
