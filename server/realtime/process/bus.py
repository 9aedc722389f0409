"""How processes tell each other what has changed: ids, revisions, and where players are.

The bus only hints, the store decides: a lost, repeated or late notice causes no more than a short delay.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from server.games.state import Game
from server.realtime.process.presence import PresenceState
from server.rules.variant.pieces import Color


@dataclass(frozen=True, slots=True)
class GameStored:
    """`game` has been stored with revision `rev`. `players`: ids of its players."""

    game: str
    rev: int
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """Where the player of `color` is, as far as the sending process knows. Repeated while they are here."""

    game: str
    color: Color
    state: PresenceState


@dataclass(frozen=True, slots=True)
class SeeksChanged:
    """The open seeks have changed."""


@dataclass(frozen=True, slots=True)
class BlocksChanged:
    """`person` (an id) has blocked or unblocked somebody, or is gone."""

    person: str


@dataclass(frozen=True, slots=True)
class PeopleHere:
    """`people` (ids) have pages open on the process `node`. Repeated every few seconds."""

    node: str
    people: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WaitedInVain:
    """`game` was called off while `player` (an id) sat at its board alone."""

    game: str
    player: str


@dataclass(frozen=True, slots=True)
class ChallengeMade:
    """`by` (a name) challenges `player` (an id) in `game`; `proposed`: rather, a game against them is proposed.

    `proposer`: the name of whoever has proposed it, "" for nobody.
    """

    game: str
    player: str
    by: str
    proposed: bool = False
    proposer: str = ""


@dataclass(frozen=True, slots=True)
class MessageLeft:
    """`by` (a name) has written to `player` (an id), who is not at the board of `game`."""

    game: str
    player: str
    by: str


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """It has become the turn of `player` (an id) in `game`, which is not real-time."""

    game: str
    player: str


@dataclass(frozen=True, slots=True)
class ChatPosted:
    """A chat line of `game` has been stored."""

    game: str


@dataclass(frozen=True, slots=True)
class SessionsEnded:
    """These sessions (digests of their tokens) have ended: close their sockets with `code`."""

    sessions: frozenset[str]
    code: int


@dataclass(frozen=True, slots=True)
class Deleted:
    """`game` has been deleted. `players`: ids of its players."""

    game: str
    players: tuple[str, ...] = ()


Notice = (
    GameStored
    | PresenceChanged
    | SeeksChanged
    | BlocksChanged
    | PeopleHere
    | ChallengeMade
    | MessageLeft
    | TurnPassed
    | ChatPosted
    | SessionsEnded
    | Deleted
    | WaitedInVain
)


def game_stored(game: Game) -> GameStored:
    return GameStored(game.id, game.rev, _players(game))


def deletion_of(game: Game) -> Deleted:
    return Deleted(game.id, _players(game))


def _players(game: Game) -> tuple[str, ...]:
    return tuple(one.id for one in (game.white, game.black) if one is not None)


class Bus(Protocol):
    """A bus between processes. `alone`: there are no others."""

    @property
    def alone(self) -> bool: ...

    def tell(self, notice: Notice) -> None:
        """Sends `notice` to the other processes as soon as possible. Never waits, never raises."""

    async def run(self, hear: Callable[[Notice], None], resync: Callable[[], None]) -> None:
        """Listens until cancelled. Calls `hear` with notices, and `resync` when some may have been missed."""


class LocalBus:
    """The bus of a single process."""

    alone = True

    def tell(self, notice: Notice) -> None:
        """Does nothing: there is no other process."""

    async def run(self, hear: Callable[[Notice], None], resync: Callable[[], None]) -> None:
        """Waits until cancelled: there is nothing to hear."""
