"""The messages of a tournament's page, in and out: that something has changed, to be asked for by HTTP, and whom the
reader plays.
"""

from typing import Annotated, Literal

from pydantic import Field

from server.realtime.protocol.feed import FeedHi
from server.realtime.protocol.inbound import Bye, Ping
from server.realtime.protocol.outbound import Error, PongOut, Reload, Restart
from server.realtime.protocol.wire import Message


class TournamentHi(FeedHi):
    """First message: the tournament to follow. As long as the page is open its reader is present, and may be paired."""

    t: Literal["hi"]
    tournament: Annotated[str, Field(pattern=r"^[0-9A-Za-z]{10}$")]


Inbound = Annotated[TournamentHi | Ping | Bye, Field(discriminator="t")]


class TournamentShown(Message):
    """The tournament has changed; at most once a second. `rev` counts that on this process."""

    t: Literal["tournament"] = "tournament"
    rev: int


class TournamentPaired(Message):
    """The reader plays, in the game `game`."""

    t: Literal["tournament_paired"] = "tournament_paired"
    game: str


class TournamentGone(Message):
    """There is no such tournament; the connection ends."""

    t: Literal["tournament_gone"] = "tournament_gone"


Outbound = Annotated[
    TournamentShown | TournamentPaired | TournamentGone | PongOut | Error | Reload | Restart, Field(discriminator="t")
]
