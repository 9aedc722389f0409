"""The wire messages of the lobby's socket, in and out. No logic.

The browser only listens here: seeks are made, taken and withdrawn by HTTP. The whole list is sent once, then only what
changes, in messages of less than 250 bytes. A page that asks for it is told of its reader's own games too.
"""

from typing import Annotated, Literal

from pydantic import Field

from server.realtime.protocol.feed import FeedHi
from server.realtime.protocol.inbound import Bye, Ping
from server.realtime.protocol.outbound import Error, NoticeOut, PongOut, Reload, Restart
from server.realtime.protocol.wire import Message, Side, Yes


class LobbyHi(FeedHi):
    """`games`: this page wants to be told how its reader's games stand."""

    t: Literal["hi"]
    games: Yes | None = None


Inbound = Annotated[LobbyHi | Ping | Bye, Field(discriminator="t")]


class SeekView(Message):
    """An open seek. `by` is the maker's public id. `account`: they have one, and so a page of their own, /@/name.
    `bot`: a program plays. `variants`: those they would play, absent: any.

    `clock`: seconds at the start, "+", seconds a move; or days a move and "d"; or a time bank, in days, with the most
    that it holds, as in "10+1/30d". `color`: what the maker wants. `rating`: theirs in such games, with "?" if it is
    provisional. `lowest`, `highest`: what an opponent's must be at least and at most.
    """

    id: str
    by: str
    name: str
    account: Yes | None = None
    bot: Yes | None = None
    variants: list[str] | None
    chess960: Literal[1] | None
    clock: str
    color: Side | None
    rated: Literal[1] | None
    rating: str | None = None
    lowest: int | None = None
    highest: int | None = None


class Seeks(Message):
    """All open seeks, oldest first."""

    t: Literal["seeks"] = "seeks"
    seeks: list[SeekView]


class SeekAdded(Message):
    t: Literal["seek_added"] = "seek_added"
    seek: SeekView


class SeekGone(Message):
    """It was taken, withdrawn, or its maker has left."""

    t: Literal["seek_gone"] = "seek_gone"
    id: str


class Paired(Message):
    """You have an opponent: the game `game` has begun. `seek`: the seek that led to it."""

    t: Literal["paired"] = "paired"
    game: str
    seek: str


class Challenged(Message):
    """`by` (a name) challenges you, in the game `game`. `proposed`: somebody else proposes that you play `by`.

    `proposer`: the name of whoever does, also when `by` has accepted it already.
    """

    t: Literal["challenged"] = "challenged"
    game: str
    by: str
    proposed: bool | None = None
    proposer: str | None = None


class Written(Message):
    """`by` (a name) has written to you in the chat of the correspondence game `game`, whose board you do not see."""

    t: Literal["written"] = "written"
    game: str
    by: str


class RematchOffered(Message):
    """`by` (a name) offers you a rematch at the board of `game`, which is over, and which you do not see."""

    t: Literal["rematch_offered"] = "rematch_offered"
    game: str
    by: str


class TournamentSoon(Message):
    """A tournament that you have joined begins in a few minutes. `tournament`: its id; `name`: what it is called."""

    t: Literal["tournament_soon"] = "tournament_soon"
    tournament: str
    name: str


class YourGame(Message):
    """A game of yours that goes on. `by`: your opponent's name, absent while nobody has the other seat. `asked`: whom
    you wait for then, if you have challenged somebody by name. `bot`: either of them is one.

    `turn`: it waits for your move, by days. `live`: it is played by the minute, now; `to_move`: it was your move there
    when this was told, and still is unless you have moved since, as pages hear nothing of single moves. `adjourned`:
    it stands still, and who of you two is ready to go on. `left`: ms until the time of whoever is to move runs out.
    `away`: until when your opponent is on vacation, ms since the epoch. `claimable`: their time is over, and you can
    claim the game. `board`: its pieces as a FEN begins with them, absent if nobody has noted that yet; `last`: the
    last move, UCI; `black`: you see it from there.
    """

    id: str
    variant: str
    chess960: Literal[1] | None
    by: str | None
    asked: str | None = None
    bot: Yes | None = None
    turn: Literal[1] | None
    live: Literal[1] | None
    to_move: Yes | None = None
    adjourned: Literal["nobody", "you", "opponent", "both", "paused"] | None
    left: int | None
    away: int | None = None
    claimable: Literal[1] | None = None
    board: str | None = None
    last: str | None = None
    black: Literal[1] | None = None


class YourGames(Message):
    """Your running games, the most urgent first, and how many `more` there are; `waiting`: how many wait for your move;
    `urgent`: for that, to be resumed or claimed, or are played by the minute.

    `news`: the game in which it has just become your turn.
    """

    t: Literal["your_games"] = "your_games"
    games: list[YourGame]
    more: int
    waiting: int
    urgent: int
    news: str | None = None


Outbound = Annotated[
    Seeks
    | SeekAdded
    | SeekGone
    | Paired
    | Challenged
    | Written
    | RematchOffered
    | TournamentSoon
    | YourGames
    | NoticeOut
    | PongOut
    | Error
    | Reload
    | Restart,
    Field(discriminator="t"),
]
