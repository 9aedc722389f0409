"""Every message from the browser, and the commands that players' messages stand for."""

from abc import abstractmethod
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from server.games import state
from server.games.changes import claiming, ending, offers, pausing, playing
from server.games.command import Command
from server.realtime.protocol.wire import GameId, Message, OfferKind, RequestId, TreeStep, Yes
from server.realtime.runtime.ids import new_id
from server.rules.variant.pieces import Color


class Hi(Message):
    """First message: which game to follow, and the last event seen of it (none: -1).

    `secret`: of a link to a free seat. It takes no seat yet, but gives access to the players' chat. `watch`: only to
    watch, from another page than that of the game; players are refused, who would count as being at the board.
    """

    t: Literal["hi"]
    proto: int
    game: GameId
    epoch: Annotated[str, Field(max_length=16)] = ""
    v: Annotated[int, Field(ge=-1)] = -1
    secret: Annotated[str, Field(max_length=64)] = ""
    watch: Yes | None = None


class GameCommand(Message):
    """A player's command; the answer repeats `id`."""

    id: RequestId
    a_minute: ClassVar[int | None] = None
    """How many of these one person may send in a minute; None: as many as of any other messages."""

    @abstractmethod
    def command(self, color: Color, lag_ms: int) -> Command:
        """The command of the player of `color`. `lag_ms`: the lag that the server measured."""


class SeatCommand(GameCommand):
    """A command that the computer's opponent may also give for the computer: then `computer` is 1."""

    computer: Yes | None = None


class Move(SeatCommand):
    """Play `uci` as half-move `ply` (0 = first). Resending it after a lost answer is harmless.

    `computer`: as in the other commands that have it, it is the computer's, whose opponent you are.
    """

    t: Literal["move"]
    ply: Annotated[int, Field(ge=0, le=2000)]
    uci: Annotated[str, Field(min_length=2, max_length=12)]

    def command(self, color: Color, lag_ms: int) -> Command:
        return playing.PlayMove(color, self.uci, self.ply, lag_ms)


class Resign(SeatCommand):
    t: Literal["resign"]

    def command(self, color: Color, lag_ms: int) -> Command:
        return ending.Resign(color)


class Abort(GameCommand):
    t: Literal["abort"]

    def command(self, color: Color, lag_ms: int) -> Command:
        return ending.Abort(color)


class Offer(GameCommand):
    t: Literal["offer"]
    kind: OfferKind

    def command(self, color: Color, lag_ms: int) -> Command:
        return offers.MakeOffer(color, state.OfferKind(self.kind), new_id())


class Accept(SeatCommand):
    t: Literal["accept"]
    offer: Annotated[int, Field(ge=0)]

    def command(self, color: Color, lag_ms: int) -> Command:
        return offers.AcceptOffer(color, self.offer, new_id())


class Decline(SeatCommand):
    """Decline the opponent's offer, or withdraw an own one."""

    t: Literal["decline"]
    offer: Annotated[int, Field(ge=0)]

    def command(self, color: Color, lag_ms: int) -> Command:
        return offers.DeclineOffer(color, self.offer)


class Claim(GameCommand):
    """The opponent has left, or in a correspondence game their time is over: claim a win or a draw."""

    t: Literal["claim"]
    result: Literal["win", "draw"]

    def command(self, color: Color, lag_ms: int) -> Command:
        return claiming.Claim(color, as_draw=self.result == "draw")


class Ready(GameCommand):
    """Be ready to resume an adjourned game: it resumes once both are, and at the board; by correspondence, at once."""

    t: Literal["ready"]

    def command(self, color: Color, lag_ms: int) -> Command:
        return pausing.ResumeReady(color)


class Flagging(GameCommand):
    """In a correspondence game, choose whether your opponent's time ends it by itself or, `by_hand`, by your claim."""

    t: Literal["flagging"]
    a_minute: ClassVar = 10
    """Each is a write, and an event for everybody who follows the game; nobody changes their mind more often."""
    by_hand: bool

    def command(self, color: Color, lag_ms: int) -> Command:
        return claiming.ChooseFlagging(color, by_hand=self.by_hand)


class Conditional(Message):
    """Replace your conditional moves in a correspondence game, after `ply` half-moves, on your opponent's turn.

    `steps`: a tree of moves in UCI; a number takes back so many half-moves. Every move of the opponent has exactly one
    answer. No steps: no conditional moves.
    """

    t: Literal["conditional"]
    id: RequestId
    ply: Annotated[int, Field(ge=0, le=2000)]
    steps: Annotated[list[TreeStep], Field(max_length=500)]


class Chat(Message):
    """A chat message. Players write to each other, everybody else to the watchers; the seat decides.

    It has at most 140 characters on one line; between the players of a correspondence game 2,000, with line breaks.
    """

    t: Literal["chat"]
    id: RequestId
    text: Annotated[str, Field(min_length=1)]


class Ping(Message):
    """The browser checks whether the connection is alive."""

    t: Literal["ping"]


class Pong(Message):
    """The reply to the server's `ping`, with its payload, by which the server measures the lag."""

    t: Literal["pong"]
    p: Annotated[str, Field(min_length=1, max_length=16)]


class Bye(Message):
    """The page is being closed; `within`: for another page of this site."""

    t: Literal["bye"]
    within: Annotated[int, Field(strict=True, ge=1, le=1)] | None = None


Inbound = Annotated[
    Hi
    | Move
    | Resign
    | Abort
    | Offer
    | Accept
    | Decline
    | Claim
    | Ready
    | Flagging
    | Conditional
    | Chat
    | Ping
    | Pong
    | Bye,
    Field(discriminator="t"),
]
