"""What happens in a game, each event a frozen value. `realtime.play.views` turns them into messages."""

from dataclasses import dataclass, field
from typing import Literal

from server.games.player import Player
from server.games.state import OfferKind
from server.rules.endings import Outcome
from server.rules.movegen.position import Position
from server.rules.variant.pieces import Color

OfferEnd = Literal["accepted", "declined", "lapsed"]
"""How an offer is closed. Lapsed: withdrawn, or cancelled by a move or the end of the game."""


@dataclass(frozen=True, slots=True)
class Joined:
    color: Color
    player: Player


@dataclass(frozen=True, slots=True)
class BothMet:
    """Both players have been at the board: the first move is due soon."""


@dataclass(frozen=True, slots=True)
class Moved:
    """`color` played half-move `ply` (0 = first), which led to `position`. `given_back`: lag given back, ms."""

    color: Color
    ply: int
    uci: str
    san: str
    given_back: int
    position: Position = field(repr=False)


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
    offer: int
    kind: OfferKind
    how: OfferEnd


@dataclass(frozen=True, slots=True)
class TookBack:
    """The game is back at `plies` half-moves."""

    plies: int


@dataclass(frozen=True, slots=True)
class ClockPaused:
    pass


@dataclass(frozen=True, slots=True)
class ClockResumed:
    pass


@dataclass(frozen=True, slots=True)
class ClockAdjusted:
    """The server stalled for `ms` and has given that time back."""

    ms: int


@dataclass(frozen=True, slots=True)
class Adjourned:
    """Adjourned by agreement: the clocks stop, and nobody can move until both players are ready."""


@dataclass(frozen=True, slots=True)
class Ready:
    """`color` is ready to resume the adjourned game."""

    color: Color


@dataclass(frozen=True, slots=True)
class Away:
    """`color` is on vacation until then (ms), and the clock stands; 0: they are back."""

    color: Color
    until: int


@dataclass(frozen=True, slots=True)
class FlaggingChosen:
    """`color` has chosen whether the opponent's time ends the game by itself, or by that player's own hand."""

    color: Color
    by_hand: bool


@dataclass(frozen=True, slots=True)
class RematchAgreed:
    """The players play again, in the game `next_id`."""

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
    | Away
    | FlaggingChosen
    | RematchAgreed
)
