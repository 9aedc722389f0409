"""What happened in a game, one frozen value each; `views` turns them into messages."""

from dataclasses import dataclass

from server.games.player import Player
from server.games.state import OfferKind
from server.rules.endings import Outcome
from server.rules.variant.pieces import Color


@dataclass(frozen=True, slots=True)
class Joined:
    color: Color
    player: Player


@dataclass(frozen=True, slots=True)
class BothMet:
    """Both players have been at the board: the first move is due soon."""


@dataclass(frozen=True, slots=True)
class Moved:
    """Half-move `ply` (0 = first) was played by `color`; `given_back` is lag returned to the mover, ms."""

    color: Color
    ply: int
    uci: str
    san: str
    given_back: int


@dataclass(frozen=True, slots=True)
class Ended:
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Offered:
    offer: int
    kind: OfferKind
    color: Color


@dataclass(frozen=True, slots=True)
class OfferClosed:
    """`how` is accepted, declined or lapsed (a move or the end overtook it)."""

    offer: int
    kind: OfferKind
    how: str


@dataclass(frozen=True, slots=True)
class TookBack:
    """The game stands again after `plies` half-moves."""

    plies: int


@dataclass(frozen=True, slots=True)
class ClockPaused:
    pass


@dataclass(frozen=True, slots=True)
class ClockResumed:
    pass


@dataclass(frozen=True, slots=True)
class ClockAdjusted:
    """The server stood still for `ms` and has given it back."""

    ms: int


@dataclass(frozen=True, slots=True)
class Adjourned:
    """Adjourned by consent: the clocks stand, and nobody can move until both are ready to go on."""


@dataclass(frozen=True, slots=True)
class Ready:
    """`color` is ready to take up the adjourned game."""

    color: Color


@dataclass(frozen=True, slots=True)
class RematchAgreed:
    """The players go on in the game `next_id`."""

    next_id: str


Event = (
    Joined
    | BothMet
    | Moved
    | Ended
    | Offered
    | OfferClosed
    | TookBack
    | ClockPaused
    | ClockResumed
    | ClockAdjusted
    | Adjourned
    | Ready
    | RematchAgreed
)
