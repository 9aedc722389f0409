"""Every message from the browser. No logic."""

from typing import Annotated, Literal

from pydantic import Field

from server.realtime.protocol.wire import GameId, Message, OfferKind, RequestId


class Hi(Message):
    """First message: which game to follow, and the last event seen of it (none: -1).

    `secret`: that of a link to a free seat. It takes no seat; whoever has it reads and writes the players' chat.
    """

    t: Literal["hi"]
    proto: int
    game: GameId
    epoch: Annotated[str, Field(max_length=16)] = ""
    v: Annotated[int, Field(ge=-1)] = -1
    secret: Annotated[str, Field(max_length=64)] = ""


class Move(Message):
    """Play `uci` as half-move `ply` (0 = first). Sending it again after a lost answer is harmless."""

    t: Literal["move"]
    id: RequestId
    ply: Annotated[int, Field(ge=0, le=2000)]
    uci: Annotated[str, Field(min_length=2, max_length=12)]


class Resign(Message):
    t: Literal["resign"]
    id: RequestId


class Abort(Message):
    t: Literal["abort"]
    id: RequestId


class Offer(Message):
    t: Literal["offer"]
    id: RequestId
    kind: OfferKind


class Accept(Message):
    t: Literal["accept"]
    id: RequestId
    offer: Annotated[int, Field(ge=0)]


class Decline(Message):
    """Refuse the opponent's offer or withdraw one's own."""

    t: Literal["decline"]
    id: RequestId
    offer: Annotated[int, Field(ge=0)]


class Claim(Message):
    """The opponent has left: ask for the win, or be content with a draw."""

    t: Literal["claim"]
    id: RequestId
    result: Literal["win", "draw"]


class Ready(Message):
    """Ready to take up an adjourned game: it goes on as soon as both players are, and both are at the board."""

    t: Literal["ready"]
    id: RequestId


class Chat(Message):
    """Players talk to each other, everybody else to the watchers; the server decides which by the seat."""

    t: Literal["chat"]
    id: RequestId
    text: Annotated[str, Field(min_length=1, max_length=140)]


class Ping(Message):
    """The browser asks whether the line is alive."""

    t: Literal["ping"]


class Pong(Message):
    """Answer to the server's `ping`, with its payload; the server measures the lag by it."""

    t: Literal["pong"]
    p: Annotated[str, Field(min_length=1, max_length=16)]


class Bye(Message):
    """The page is being closed."""

    t: Literal["bye"]


Inbound = Annotated[
    Hi | Move | Resign | Abort | Offer | Accept | Decline | Claim | Ready | Chat | Ping | Pong | Bye,
    Field(discriminator="t"),
]
