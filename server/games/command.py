"""What every command of a game is: a frozen value that says in which statuses it is allowed, and makes its change."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Final

from server.games.errors import NotAllowed, Stale
from server.games.events import Transition
from server.games.state import Game
from server.games.status import Status
from server.rules.variant.pieces import Color

ALWAYS: Final = frozenset(Status)
OPEN: Final = frozenset({Status.OPEN})
LIVE: Final = frozenset({Status.LIVE})
ADJOURNED: Final = frozenset({Status.ADJOURNED})
OVER: Final = frozenset({Status.OVER})


class Command:
    """`taken_in`: the statuses in which it is allowed. `outlasts_time`: also when a side is out of time.

    `brings_together`: it may bring two people to a game, so those who have blocked each other are kept apart.

    It is no ABC: asking what kind of command something is, which each move does a dozen times, would take five times
    as long.
    """

    __slots__ = ()

    taken_in: ClassVar[frozenset[Status]]
    outlasts_time: ClassVar[bool] = False
    brings_together: ClassVar[bool] = False

    def is_taken(self, status: Status) -> bool:
        return status in self.taken_in

    @abstractmethod
    def apply(self, game: Game, now: int) -> Transition:
        """The game after this command, received at `now` (ms), and its events; `game` itself if nothing changes.

        Raises Refused.
        """


@dataclass(frozen=True, slots=True)
class PlayerCommand(Command):
    """A command of the player of `color`."""

    color: Color


def check_ply(game: Game, ply: int | None) -> None:
    """Raises Stale unless `game` has `ply` half-moves; None: any number will do.

    Whoever gives a command for one turn only, such as a mail about it, cannot check that before: another process may
    store a move until the command is decided.
    """
    if ply is not None and ply != len(game.plies):
        raise Stale


def acting_side(game: Game, own: Color, *, for_computer: bool) -> Color:
    """The side for which the player of `own` gives a command. Raises NotAllowed unless that is theirs to do.

    The computer thinks in its opponent's page, which sends what it does over that person's own connection, marked as
    the computer's. So what it does proves nothing about how strong it is, which is why nothing may depend on such a
    game: it is never rated.
    """
    if not for_computer:
        return own
    if game.computer is not own.other:
        raise NotAllowed("not_for_computer")
    return own.other
