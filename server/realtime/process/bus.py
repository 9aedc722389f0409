"""How one process tells the others what they cannot see: ids, revisions and who is where.

The bus only hints, the store decides: a hint that is lost, doubled or late does no harm beyond a short delay.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from server.games.game import Game
from server.realtime.process.presence import PresenceState
from server.rules.variant.pieces import Color


@dataclass(frozen=True, slots=True)
class GameStored:
    """`game` has been stored with the revision `rev`; `players`: the ids of those who sit in it."""

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
    """Open seeks are not what they were."""


@dataclass(frozen=True, slots=True)
class WaitedInVain:
    """`game` was called off while `player` (an id) sat at its board alone."""

    game: str
    player: str


@dataclass(frozen=True, slots=True)
class ChallengeMade:
    """In `game`, `by` (a name) asks `player` (an id) to play."""

    game: str
    player: str
    by: str


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """In `game`, which is not by the minute, it has become the turn of `player` (an id)."""

    game: str
    player: str


@dataclass(frozen=True, slots=True)
class ChatPosted:
    """Somebody has said something in `game`; the store has the line."""

    game: str


@dataclass(frozen=True, slots=True)
class SessionsEnded:
    """Nobody is these sessions (the digests of their tokens) any more; their lines are to be closed with `code`."""

    sessions: frozenset[str]
    code: int


@dataclass(frozen=True, slots=True)
class Deleted:
    """`game` is not stored any more; `players`: the ids of those who sat in it."""

    game: str
    players: tuple[str, ...] = ()


Notice = (
    GameStored
    | PresenceChanged
    | SeeksChanged
    | ChallengeMade
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
    """What live play asks of a bus. `alone`: there are no other processes."""

    @property
    def alone(self) -> bool: ...

    def tell(self, notice: Notice) -> None:
        """Pass `notice` on to the other processes as soon as possible. Never waits, never raises."""

    async def run(self, hear: Callable[[Notice], None], resync: Callable[[], None]) -> None:
        """Listen until cancelled: `hear` what other processes tell; `resync` when something may have been missed."""


class LocalBus:
    """The bus of a process that is alone."""

    alone = True

    def tell(self, notice: Notice) -> None:
        """Nobody else is there."""

    async def run(self, hear: Callable[[Notice], None], resync: Callable[[], None]) -> None:
        """There is nothing to hear."""
