"""What programs send to the Bot API: JSON or the fields of a form, as clients of lichess do. Decides nothing.

Other fields than those that are asked for are passed over: clients send whatever lichess understands.
"""

from typing import Annotated, Literal, TypeVar

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from server.web.bodies import read_body
from server.web.forms.forms import sentence
from server.web.forms.page_forms import FIELDS, pairs_of
from server.web.rendering.problems import Problem

MOST_FIELDS = 20


class BotBody(BaseModel):
    """In a form everything is text, so "true" and "300" are read as what they say."""

    model_config = ConfigDict(extra="ignore", frozen=True, populate_by_name=True, defer_build=True)


class Written(BotBody):
    """A line of chat."""

    room: Literal["player", "spectator"] = "player"
    text: Annotated[str, Field(min_length=1, max_length=4_000)]


class Wanted(BotBody):
    """The game that somebody is challenged to. Seconds at the start and a move, or days a move, or no clock.

    `color`: the challenger's.
    """

    rated: bool = False
    limit: int | None = Field(None, alias="clock.limit", ge=0, le=10_800)
    increment: int | None = Field(None, alias="clock.increment", ge=0, le=180)
    days: Annotated[int, Field(ge=1, le=14)] | None = None
    color: Literal["white", "black", "random"] | None = None
    variant: Annotated[str, Field(min_length=1, max_length=40)] | None = None
    fen: Annotated[str, Field(max_length=200)] | None = None


SentType = TypeVar("SentType", bound=BotBody)


async def read_sent(request: web.Request, kind: type[SentType]) -> SentType:
    """The body as `kind`. Raises Problem: neither JSON nor a form (415), not in time (408), not of this shape (400)."""
    body = await read_body(request)
    try:
        if request.content_type == "application/json":
            return kind.model_validate_json(body or b"{}")
        if body and request.content_type != FIELDS:
            raise Problem(415, "not_json")
        return kind.model_validate(pairs_of(body, MOST_FIELDS) if body else {})
    except ValidationError as error:
        raise Problem(400, "bad_request", detail=sentence(error)) from None
