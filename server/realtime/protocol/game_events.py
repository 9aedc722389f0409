"""What happens in a game, in messages numbered by `v`: a page that misses one asks for those since."""

from typing import Literal

from server.games.events import OfferEnd
from server.realtime.protocol.snapshot import Adjournment, Away, ChatLine, Clocks, Ended, Seat
from server.realtime.protocol.wire import Message, OfferKind, PlayerRating, Side


class Joined(Message):
    t: Literal["joined"] = "joined"
    v: int
    side: Side
    seat: Seat
    clock: Clocks


class Moved(Message):
    """One move. `lag`: ms given back to the mover. `check`: 1 if the side to move is in check. `left`: where the days
    for a move are full again after it, the ms that were left of them.
    """

    t: Literal["moved"] = "moved"
    v: int
    ply: int
    uci: str
    san: str
    fen: str
    check: Literal[1] | None = None
    clock: Clocks
    left: int | None = None
    lag: int | None = None
    legal: str | None = None


class TookBack(Message):
    """Moves were taken back: the game is at `plies` half-moves."""

    t: Literal["took_back"] = "took_back"
    v: int
    plies: int
    fen: str
    check: bool
    clock: Clocks
    legal: str | None = None


class Offered(Message):
    t: Literal["offered"] = "offered"
    v: int
    offer: int
    kind: OfferKind
    by: Side


class OfferClosed(Message):
    t: Literal["offer_closed"] = "offer_closed"
    v: int
    offer: int
    kind: OfferKind
    how: OfferEnd


class Over(Message):
    t: Literal["over"] = "over"
    v: int
    ended: Ended
    clock: Clocks


ClockSetWhy = Literal["restart", "resumed", "stall", "begin"]


class ClockSet(Message):
    """The clocks changed without a move. `why`: restart (paused: the server was down), resumed, stall; begin: both
    players have been at the board, and the first move is due."""

    t: Literal["clock"] = "clock"
    v: int
    why: ClockSetWhy
    clock: Clocks
    legal: str | None = None


class Adjourned(Message):
    """The players have adjourned the game, or one of them is ready to resume. A `clock` event ends it."""

    t: Literal["adjourned"] = "adjourned"
    v: int
    adjourned: Adjournment
    clock: Clocks


class Vacation(Message):
    """A player has gone on vacation, or come back; in correspondence games, whose clock stands while anybody is away.

    `away`: None: nobody is away any more.
    """

    t: Literal["vacation"] = "vacation"
    v: int
    away: Away | None = None
    clock: Clocks


class FlaggingChosen(Message):
    """A player has chosen whether the opponent's time ends a correspondence game by itself or, `by_hand`, by a claim.

    `by_hand`: what White and Black have chosen.
    """

    t: Literal["flagging"] = "flagging"
    v: int
    by_hand: tuple[bool, bool]


class Rematch(Message):
    """The players play a rematch, in the game `next`."""

    t: Literal["rematch"] = "rematch"
    v: int
    next: str


class Rated(Message):
    """The players' ratings, after somebody has come or the game was counted. None: no rating."""

    t: Literal["rated"] = "rated"
    v: int
    white: PlayerRating | None = None
    black: PlayerRating | None = None


class Said(Message):
    t: Literal["said"] = "said"
    v: int
    line: ChatLine


class Nothing(Message):
    """An event that is not for this viewer, so that numbers have no gaps."""

    t: Literal["nothing"] = "nothing"
    v: int


GameEvent = (
    Joined
    | Moved
    | TookBack
    | Offered
    | OfferClosed
    | Over
    | ClockSet
    | Adjourned
    | Vacation
    | FlaggingChosen
    | Rematch
    | Rated
    | Said
    | Nothing
)
