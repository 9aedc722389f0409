"""The wire messages of the lobby's line, in and out. No logic.

The browser only listens here: seeks are made, taken and withdrawn by HTTP. The whole list is sent once, then only what
changes, in messages of less than 200 bytes.
"""

from typing import Annotated, Literal

from pydantic import Field

from server.realtime.feed import Hello
from server.realtime.inbound import Bye, Ping
from server.realtime.outbound import PingOut, PongOut, Reload, Restart
from server.realtime.wire import Message, Side


class Greeting(Hello):
    t: Literal["hi"]


Inbound = Annotated[Greeting | Ping | Bye, Field(discriminator="t")]


class SeekShown(Message):
    """An open seek. `by` is the maker's public id. `variants`: those he would play, absent: any.

    `clock`: seconds at the start, "+", seconds a move; or days a move and "d". `color`: what the maker wants.
    """

    id: str
    by: str
    name: str
    variants: list[str] | None
    chess960: Literal[1] | None
    clock: str
    color: Side | None
    rated: Literal[1] | None


class Seeks(Message):
    """All open seeks, oldest first."""

    t: Literal["seeks"] = "seeks"
    seeks: list[SeekShown]


class SeekAdded(Message):
    t: Literal["seek_added"] = "seek_added"
    seek: SeekShown


class SeekGone(Message):
    """It was taken, withdrawn, or its maker has left."""

    t: Literal["seek_gone"] = "seek_gone"
    id: str


class Paired(Message):
    """You have an opponent: the game `game` has begun."""

    t: Literal["paired"] = "paired"
    game: str


class Challenged(Message):
    """`by` (a name) challenges you, in the game `game`."""

    t: Literal["challenged"] = "challenged"
    game: str
    by: str


Outbound = Annotated[
    Seeks | SeekAdded | SeekGone | Paired | Challenged | PongOut | PingOut | Reload | Restart, Field(discriminator="t")
]
