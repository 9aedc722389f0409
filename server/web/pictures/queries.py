"""The query parameters of pictures: one strict model for each kind of picture."""

from typing import Annotated, Literal, TypeVar

from aiohttp import web
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from server.pictures.layout import Plate, View
from server.pictures.theme import BOARDS, USUAL_BOARD, USUAL_SET, PieceSetName
from server.rules.notation.fen import LONGEST
from server.rules.variant.variant import Variant
from server.web.forms.forms import validated
from server.web.rendering.problems import Problem

ZeroOrOne = Literal["0", "1"]


RENAMED = {"plain": "newsprint"}
"""Boards that had another name in an earlier release: links with it get around."""


def known_board(name: str) -> str:
    """The board of that name, or the one that has taken its place. Raises ValueError."""
    board = RENAMED.get(name, name)
    if board not in BOARDS:
        raise ValueError(f"choose one of {', '.join(BOARDS)}")
    return board


class Query(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class Appearance(Query):
    """`flip`: Black at the bottom. `size`: width of the board in px. `board`, `pieces`: as on the settings page."""

    flip: ZeroOrOne = "0"
    size: Annotated[int, Field(ge=96, le=1200)] = 480
    coords: ZeroOrOne = "1"
    board: Annotated[str, AfterValidator(known_board)] = USUAL_BOARD
    pieces: PieceSetName = USUAL_SET

    def view(self, variant: Variant, title: str, plates: tuple[Plate, Plate] | None = None) -> View:
        """A board of the variant that looks like this."""
        return View(
            variant,
            flipped=self.flip == "1",
            size=self.size,
            coordinates=self.coords == "1",
            plates=plates,
            squares=BOARDS[self.board],
            piece_set=self.pieces,
            title=title,
        )


class GamePicture(Appearance):
    """`ply`: after how many half-moves; without it, the game as it stands."""

    ply: Annotated[int, Field(ge=0, le=10_000)] | None = None


class Where(Query):
    """`fen`: without it, the start position. `chess960`: how castling in it is read."""

    fen: Annotated[str, Field(min_length=1, max_length=LONGEST)] | None = None
    chess960: ZeroOrOne = "0"


class PositionPicture(Appearance, Where):
    """Any position, in any appearance."""


class Replay(Appearance):
    """`seconds` for each move."""

    seconds: Annotated[float, Field(ge=0.2, le=5, allow_inf_nan=False)] = 0.8


class SmallReplay(Replay):
    """For a GIF, which is smaller because it contains every pixel."""

    size: Annotated[int, Field(ge=160, le=600)] = 480


QueryType = TypeVar("QueryType", bound=Query)


def read_query(request: web.Request, query: type[QueryType]) -> QueryType:
    """The query as `query`. Raises Problem (400) for a parameter that is repeated, invalid or, under /api, unknown.

    Links to pictures get around like links to pages, and others add parameters of their own to them.
    """
    strict = request.path.startswith("/api/")
    asked = [(name, value) for name, value in request.rel_url.query.items() if strict or name in query.model_fields]
    if len(asked) != len(dict(asked)):
        raise Problem(400, "bad_request", detail="Each part of the address behind the ? may stand there once.")
    return validated(dict(asked), query)
