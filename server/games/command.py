"""What every command of a game is: a frozen value that says in which statuses it is allowed, and makes its change."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Final

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
