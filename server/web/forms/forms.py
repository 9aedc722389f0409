"""What people and programs send by HTTP: one strict model per request body. Decides nothing."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, TypeVar

from aiohttp import web
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from server.games.player import LEVELS
from server.games.seeks.seek import MAX_VARIANTS
from server.mailbox import LONGEST as LONGEST_MAILBOX
from server.rules.variant.pieces import Color
from server.web.bodies import read_body
from server.web.rendering.problems import Problem

LONGEST_LINE = 600
"""Half-moves and steps back that can be asked about at once."""

COLORS = {"white": Color.WHITE, "black": Color.BLACK}
"""By their names in forms; anything else means either."""

Secret = Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{16,64}$")]


class Form(BaseModel):
    """What reads a form is made when the first such form comes: 0.5 ms then, instead of 60 ms for all at the start."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


def of_a_page(query: Mapping[str, str], form: type[BaseModel]) -> dict[str, str]:
    """The fields of `form` in a page's address, without parameters that somebody who spread the link has added."""
    return {name: value for name, value in query.items() if name in form.model_fields}


class Realtime(Form):
    """Seconds on each clock, and seconds added after each move. Black can get a different amount of either."""

    kind: Literal["realtime"]
    initial: Annotated[int, Field(ge=0, le=10_800)]
    increment: Annotated[int, Field(ge=0, le=180)]
    black_initial: Annotated[int, Field(ge=0, le=10_800)] | None = None
    black_increment: Annotated[int, Field(ge=0, le=180)] | None = None


class Correspondence(Form):
    """Days per move."""

    kind: Literal["correspondence"]
    days: Annotated[int, Field(ge=1, le=14)]


class Bank(Form):
    """A time bank: days at the start, days after each own move, and the most days that it holds."""

    kind: Literal["bank"]
    initial: Annotated[int, Field(ge=1, le=60)]
    increment: Annotated[int, Field(ge=1, le=60)]
    cap: Annotated[int, Field(ge=1, le=60)]


class Unlimited(Form):
    kind: Literal["unlimited"]


class NewGame(Form):
    """A game against whoever opens the link or, for `others`, between two people who open a link each.

    `move`: the creator's first move, if they play and it is their turn. `to`: the name of the only possible opponent.
    `between`: the names of the only others, of whom the first has the colour. `computer`: the level of the computer, if
    that is the opponent.
    """

    variant: Annotated[str, Field(min_length=1, max_length=40)]
    chess960: bool = False
    color: Literal["white", "black", "random"] = "random"
    clock: Annotated[Realtime | Correspondence | Bank | Unlimited, Field(discriminator="kind")]
    rated: bool = False
    fen: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    move: Annotated[str, Field(min_length=2, max_length=12)] | None = None
    players: Literal["me", "others"] = "me"
    to: Annotated[str, Field(min_length=1, max_length=40)] | None = None
    between: (
        Annotated[list[Annotated[str, Field(min_length=1, max_length=40)]], Field(min_length=2, max_length=2)] | None
    ) = None
    computer: Annotated[int, Field(ge=1, le=LEVELS)] | None = None

    @model_validator(mode="after")
    def _computer_plays_the_creator(self) -> Self:
        if self.computer is not None and (self.players == "others" or self.to is not None or self.move is not None):
            raise ValueError("the computer plays against you, and the first move is made at the board")
        return self

    @model_validator(mode="after")
    def _nobody_moves_for_others(self) -> Self:
        if self.players == "others" and (self.move is not None or self.to is not None):
            raise ValueError("whoever does not play makes no move and challenges nobody")
        if self.players == "others" and self.between is None and self.color != "random":
            raise ValueError("whoever does not play chooses no colour")
        if self.players == "me" and self.between is not None:
            raise ValueError("a game between two others is for `others`")
        return self


VariantId = Annotated[str, Field(min_length=1, max_length=40)]


class NewSeek(Form):
    """A game against anybody who wants the same. `variants`: those to choose from; none: any."""

    variants: Annotated[list[VariantId], Field(max_length=MAX_VARIANTS)] = []
    chess960: bool = False
    color: Literal["white", "black", "random"] = "random"
    clock: Annotated[Realtime | Correspondence | Bank, Field(discriminator="kind")]
    rated: bool = False


class Taking(Form):
    """Takes a seek, in one of these of its variants; none: any."""

    variants: Annotated[list[VariantId], Field(max_length=MAX_VARIANTS)] = []


class Joining(Form):
    """The secret of the link: the part after #, up to a dot if there is one. A named opponent has none."""

    secret: Secret | Literal[""] = ""


class Sending(Form):
    """The part of a link after #: the secret and, if both seats are free, the seat that it opens."""

    fragment: Annotated[str, Field(pattern=r"^[0-9A-Za-z_-]{16,64}(\.(white|black))?$")]


class Mailing(Sending):
    """The same, and the mail address that the link is to be sent to."""

    address: Annotated[str, Field(min_length=1, max_length=LONGEST_MAILBOX)]


class AskedLine(Form):
    """A line on the analysis board: moves in UCI, and how many half-moves to take back before the next one."""

    fen: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    chess960: bool = False
    moves: Annotated[
        list[Annotated[str, Field(min_length=2, max_length=12)] | Annotated[int, Field(ge=1, le=LONGEST_LINE)]],
        Field(max_length=LONGEST_LINE),
    ] = []


class AskedPgn(Form):
    """One game as PGN."""

    pgn: Annotated[str, Field(min_length=1, max_length=50_000)]


FormType = TypeVar("FormType", bound=Form)


async def read_form(request: web.Request, form: type[FormType]) -> FormType:
    """The body as `form`. Raises Problem: not JSON (415), not in time (408), not of this shape (400)."""
    if request.content_type != "application/json":
        raise Problem(415, "not_json")
    return form_of(await read_body(request), form)


ModelType = TypeVar("ModelType", bound=BaseModel)


def validated(fields: Mapping[str, str], model: type[ModelType]) -> ModelType:
    """The fields of an address or a form as `model`. Raises Problem (400)."""
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        raise Problem(400, "bad_request", detail=sentence(error)) from None


def form_of(body: bytes, form: type[FormType]) -> FormType:
    """The JSON `body` as `form`. Raises Problem (400)."""
    try:
        asked = form.model_validate_json(body)
        json.loads(body, object_pairs_hook=check_keys)
    except ValidationError as error:
        raise Problem(400, "bad_request", detail=sentence(error)) from None
    except RepeatedKey as error:
        raise Problem(400, "bad_request", detail=str(error)) from None
    return asked


class RepeatedKey(Exception):
    """A key is repeated; which value counts would depend on the parser, so neither does."""


def check_keys(pairs: list[tuple[str, Any]]) -> None:
    """Checks one object of a JSON text. Raises RepeatedKey."""
    if len({key for key, _ in pairs}) < len(pairs):
        raise RepeatedKey("A key stands in it twice.")


def sentence(error: ValidationError) -> str:
    """The first thing that is wrong, and where."""
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    reason = first["msg"].removeprefix("Value error, ").rstrip(".")
    return f"{place}: {reason}."[:300] if place else f"{reason}."[:300]
