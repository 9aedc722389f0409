"""Every message to the browser."""

from typing import Annotated, Literal

from pydantic import Field

from server.games.events import OfferEnd
from server.realtime.protocol.presence_messages import PresenceOut
from server.realtime.protocol.wire import Message, OfferKind, PlayerRating, Room, Side, Step


class Ok(Message):
    """The command `id` is done and stored. `dup`: it had been done before."""

    t: Literal["ok"] = "ok"
    id: int
    v: int
    dup: bool | None = None


class Error(Message):
    """Nothing was done. `id` is absent if no command could be read.

    `refusal`: the stable id of the reason; `params`: its parameters; `message`: a sentence in English, which may
    change. `code` is coarser than `refusal`, and enough for most programs.

    Codes: bad_message, rate, busy, not_a_player, no_game, damaged, storage (nothing stored, send again), internal, and
    those of a game: over, not_started, not_your_turn, stale, illegal, not_allowed, deleted.
    """

    t: Literal["error"] = "error"
    id: int | None = None
    code: str
    message: str
    refusal: str
    params: dict[str, str | int] | None = None
    v: int | None = None


class Wait(Message):
    """The command `id` is accepted but cannot be stored yet; an `ok` or an `error` follows."""

    t: Literal["wait"] = "wait"
    id: int
    why: Literal["storage"]


class PongOut(Message):
    t: Literal["pong"] = "pong"


class PingOut(Message):
    t: Literal["ping"] = "ping"
    p: str


class Reload(Message):
    """This page speaks an older protocol than the server: reload it once."""

    t: Literal["reload"] = "reload"


class Clocks(Message):
    """Time left when this was sent, ms (None: no limit). `run`: whose clock is running. `paused`: why none is
    (vacation: somebody is away).

    `begin`: before the clocks run, ms that the side to move has for its first move; then the game ends without result.
    None: no such limit, or not yet, because the players have not both been at the board.
    """

    white: int | None
    black: int | None
    run: Side | None
    paused: Literal["restart", "adjourned", "vacation"] | None = None
    begin: int | None = None


class Seat(Message):
    """A player. `name`: None while the seat is empty. `deleted`: the account was deleted."""

    id: str | None
    name: str | None
    deleted: Literal[1] | None = None


class Adjournment(Message):
    """The game was adjourned at `at`; since when each side has been ready to resume (None: not). Ms since the epoch.

    `claim`: who may claim the game, and from when.
    """

    at: int
    white: int | None
    black: int | None
    claim: tuple[Side, int] | None = None


class Away(Message):
    """Until when each side is on vacation, ms since the epoch; None: they are not."""

    white: int | None = None
    black: int | None = None


class OpenOffer(Message):
    offer: int
    kind: OfferKind
    by: Side


class ChatLine(Message):
    room: Room
    name: str
    text: str
    at: int


class Ended(Message):
    """`result`: 1-0, 0-1, 1/2-1/2, or * if there is none. `reason`: checkmate, stalemate, insufficient, repetition,
    move-rule, bare-king, resign, agreement, abort, time, left, expired, declined; in imported games also imported and
    unfinished."""

    result: str
    winner: Side | None
    reason: str


class Snapshot(Message):
    """The whole game as this viewer may see it. `moves`: [uci, san, ms left to the mover or null] each.

    `initial`: null unless the clocks keep what is left. `days`: those for each move. `cap`: the most ms of a time bank.
    `legal`: the legal moves, as UCI separated by spaces, for the player to move only, or for every watcher while that
    seat is free.
    """

    t: Literal["snapshot"] = "snapshot"
    epoch: str
    v: int
    game: str
    variant: str
    chess960: bool
    rated: bool
    you: Side | None
    status: Literal["open", "live", "adjourned", "over"]
    white: Seat
    black: Seat
    start_fen: str
    fen: str
    check: bool
    turn: Side
    moves: list[tuple[str, str, int | None]]
    legal: str | None = None
    clock: Clocks
    initial: tuple[int | None, int | None]
    increment: tuple[int, int]
    days: int | None
    cap: int | None = None
    offers: list[OpenOffer]
    ended: Ended | None
    next: str | None
    can_abort: bool
    chat: list[ChatLine]
    invited: bool = False
    asked: Seat | None = None
    asked_next: Seat | None = None
    """Who was challenged by name and has not come yet."""
    adjourned: Adjournment | None = None
    away: Away | None = None
    """Who is on vacation; None: nobody."""
    by_hand: tuple[bool, bool] | None = None
    """Whether White and Black flag by hand, as in `flagging`; None: neither."""
    conditional: list[Step] | None = None
    """The viewer's own conditional moves, as in `conditional`."""
    white_strength: PlayerRating | None = None
    black_strength: PlayerRating | None = None


class Joined(Message):
    t: Literal["joined"] = "joined"
    v: int
    side: Side
    seat: Seat
    clock: Clocks


class Moved(Message):
    """One move. `lag`: ms given back to the mover. `check`: 1 if the side to move is in check."""

    t: Literal["moved"] = "moved"
    v: int
    ply: int
    uci: str
    san: str
    fen: str
    check: Literal[1] | None = None
    clock: Clocks
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


class ClockSet(Message):
    """The clocks changed without a move. `why`: restart (paused: the server was down), resumed, stall; begin: both
    players have been at the board, and the first move is due."""

    t: Literal["clock"] = "clock"
    v: int
    why: Literal["restart", "resumed", "stall", "begin"]
    clock: Clocks
    legal: str | None = None


class Adjourned(Message):
    """The players have adjourned the game, or one of them is ready to resume. A `clock` event ends it."""

    t: Literal["adjourned"] = "adjourned"
    v: int
    adjourned: Adjournment
    clock: Clocks


class Vacation(Message):
    """A player has gone on vacation, or come back; in games of days, whose clock stands while anybody is away.

    `away`: None: nobody is away any more.
    """

    t: Literal["vacation"] = "vacation"
    v: int
    away: Away | None = None
    clock: Clocks


class FlaggingChosen(Message):
    """A player of a game of days has chosen whether their opponent's time ends it by itself, or `by_hand`, by a claim.

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


class Resumed(Message):
    """All missed events have been sent again; these are the current clocks and legal moves.

    Not numbered. `v`: the last event. Events sent again have the clocks of their own time and no legal moves.
    """

    t: Literal["resumed"] = "resumed"
    v: int
    clock: Clocks
    legal: str | None = None
    conditional: list[Step] | None = None


class ConditionalOut(Message):
    """Your own conditional moves have changed. Not numbered, and for nobody else.

    `steps`: the tree from the present position, moves in UCI and numbers of half-moves to take back. On your own turn,
    which an offer of your opponent can bring about, it begins with the answer that waits for you.
    """

    t: Literal["conditional"] = "conditional"
    steps: list[Step]


class Restart(Message):
    """The server is restarting: reconnect after a random part of `within` ms."""

    t: Literal["restart"] = "restart"
    within: int


class NoticeOut(Message):
    """What the host has to say to everybody; absent: no longer anything."""

    t: Literal["notice"] = "notice"
    text: str | None


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
Outbound = Annotated[
    Ok
    | Error
    | Wait
    | PongOut
    | PingOut
    | Reload
    | Snapshot
    | GameEvent
    | Resumed
    | ConditionalOut
    | PresenceOut
    | NoticeOut
    | Restart,
    Field(discriminator="t"),
]
