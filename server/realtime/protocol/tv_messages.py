"""The messages of TV, in and out: games in play, to watch many at once."""

from typing import Annotated, Literal

from pydantic import Field

from server.realtime.protocol.feed import FeedHi
from server.realtime.protocol.inbound import Bye, Ping
from server.realtime.protocol.outbound import Error, PongOut, Reload, Restart
from server.realtime.protocol.snapshot import Clocks
from server.realtime.protocol.wire import GameId, Message, Side


class TvHi(FeedHi):
    """First message: the variant whose games to show; absent: all. Or the one `game` to show, until it is over."""

    t: Literal["hi"]
    variant: Annotated[str, Field(min_length=1, max_length=40)] | None = None
    game: GameId | None = None


Inbound = Annotated[TvHi | Ping | Bye, Field(discriminator="t")]


class Board(Message):
    """A game in play. `last`: the last move, UCI; `san`: the same as people write it.

    `terms`: seconds at the start, "+", seconds a move.

    `accounts`: which of the two have one, and so a page of their own, /@/name. `bots`: which are played by programs.

    `ratings`: those of White and Black, with "?" if provisional, "" for who has none; absent if neither has.
    """

    game: str
    variant: str
    chess960: Literal[1] | None
    white: str
    black: str
    accounts: list[Side] | None = None
    bots: list[Side] | None = None
    rated: Literal[1] | None
    terms: str
    fen: str
    last: str | None
    san: str | None = None
    clock: Clocks
    watchers: int
    ratings: tuple[str, str] | None = None


class Boards(Message):
    """All boards shown now, the best first. If there is room for only one, show that."""

    t: Literal["boards"] = "boards"
    boards: list[Board]


class BoardAdded(Message):
    t: Literal["board_added"] = "board_added"
    board: Board


class BoardMoved(Message):
    t: Literal["board_moved"] = "board_moved"
    game: str
    fen: str
    last: str | None
    san: str | None = None
    clock: Clocks
    watchers: int


class BoardGone(Message):
    """The board is gone: the game is over with `result`, or adjourned, with its final `clock`; or deleted."""

    t: Literal["board_gone"] = "board_gone"
    game: str
    clock: Clocks | None = None
    result: str | None = None


Outbound = Annotated[
    Boards | BoardAdded | BoardMoved | BoardGone | PongOut | Error | Reload | Restart, Field(discriminator="t")
]
