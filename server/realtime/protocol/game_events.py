"""What happens in a game, in messages numbered by `v`: a page that misses one asks for those since.

`event_message` makes them of the events of `games`.
"""

from collections.abc import Container, Mapping
from typing import Final, Literal, assert_never

from server.games import events
from server.games.events import OfferEnd
from server.games.state import Game
from server.realtime.protocol.snapshot import Adjournment, Away, ChatLine, Clocks, Ended, Seat
from server.realtime.protocol.wire import Message, OfferKind, PlayerRating, Side, side
from server.rules.movegen.legal import in_check
from server.rules.notation.fen import format_fen


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


ClockSetWhy = Literal["restart", "resumed", "stall", "begin", "berserk"]


class ClockSet(Message):
    """The clocks changed without a move. `why`: restart (paused: the server was down), resumed, stall; begin: both
    players have been at the board, and the first move is due; berserk: a player has given away half of their time.
    """

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

CLOCK_SET_BY: Final[Mapping[type[events.Event], ClockSetWhy]] = {
    events.BothMet: "begin",
    events.ClockPaused: "restart",
    events.ClockResumed: "resumed",
    events.ClockAdjusted: "stall",
    events.WentBerserk: "berserk",
}
"""The events that do nothing but set the clocks, and what their message gives as the reason."""


def event_message(event: events.Event, game: Game, v: int, now: int, bots: Container[str] = ()) -> GameEvent:
    """The message of `event`, which led to `game`, for everybody; the legal moves are added for one player.

    `now` (ms): when it is made. `bots`: the ids of players who are.
    """
    match event:
        case events.Joined(color, player):
            return Joined(v=v, side=side(color), seat=Seat.of(player, bots), clock=Clocks.of(game, now))
        case events.Moved():
            return _moved(event, game, v, now)
        case events.Ended(outcome):
            return Over(v=v, ended=Ended.of(game, outcome), clock=Clocks.of(game, now))
        case events.Offered(offer, kind, color):
            return Offered(v=v, offer=offer, kind=kind.value, by=side(color))
        case events.OfferClosed(offer, kind, how):
            return OfferClosed(v=v, offer=offer, kind=kind.value, how=how)
        case events.TookBack(plies):
            fen, check = format_fen(game.position), in_check(game.position)
            return TookBack(v=v, plies=plies, fen=fen, check=check, clock=Clocks.of(game, now))
        case (
            events.BothMet()
            | events.ClockPaused()
            | events.ClockResumed()
            | events.ClockAdjusted()
            | events.WentBerserk()
        ):
            return ClockSet(v=v, why=CLOCK_SET_BY[type(event)], clock=Clocks.of(game, now))
        case events.Adjourned() | events.Ready():
            return _adjourned(game, v, now)
        case events.FlaggingChosen():
            return FlaggingChosen(v=v, by_hand=game.flags_by_hand)
        case events.Away():
            return Vacation(v=v, away=Away.of(game), clock=Clocks.of(game, now))
        case events.RematchAgreed(next_id):
            return Rematch(v=v, next=next_id)
        case _:
            assert_never(event)


def _adjourned(game: Game, v: int, now: int) -> Adjourned | Nothing:
    adjourned = Adjournment.of(game)
    if adjourned is None:
        # The game has gone on since: the next event says so.
        return Nothing(v=v)
    return Adjourned(v=v, adjourned=adjourned, clock=Clocks.of(game, now))


def _moved(event: events.Moved, game: Game, v: int, now: int) -> Moved:
    keeps_time = game.terms.control.keeps_time
    return Moved(
        v=v,
        ply=event.ply,
        uci=event.uci,
        san=event.san,
        fen=format_fen(event.position),
        check=1 if in_check(event.position) else None,
        clock=Clocks.of(game, now),
        left=None if keeps_time or event.ply >= len(game.plies) else game.plies[event.ply].left_ms,
        lag=event.given_back or None,
    )
