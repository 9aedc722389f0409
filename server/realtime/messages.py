"""Every message on the wire, in and out. No logic.

A message is one JSON object in one text frame, told apart by its tag `t`. Unknown tags, unknown keys
and wrong types are refused. Times are milliseconds; the browser sends none. `v` numbers the events of one
game without gaps within one `epoch`; a client that comes back names both and gets what it missed.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

PROTOCOL = 1

Side = Literal["white", "black"]
Room = Literal["players", "watchers"]
How = Literal["accepted", "declined", "lapsed"]
Request = Annotated[int, Field(ge=0, le=2**31)]
GameId = Annotated[str, Field(pattern=r"^[0-9A-Za-z]{10}$")]


class Message(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


# --- from the browser -------------------------------------------------------------------------------------------


class Hi(Message):
    """First message: which game to follow, and the last event seen of it (none: -1)."""

    t: Literal["hi"]
    proto: int
    game: GameId
    epoch: Annotated[str, Field(max_length=16)] = ""
    v: Annotated[int, Field(ge=-1)] = -1


class Move(Message):
    """Play `uci` as half-move `ply` (0 = first). Sending it again after a lost answer is harmless."""

    t: Literal["move"]
    id: Request
    ply: Annotated[int, Field(ge=0, le=2000)]
    uci: Annotated[str, Field(min_length=2, max_length=12)]


class Resign(Message):
    t: Literal["resign"]
    id: Request


class Abort(Message):
    t: Literal["abort"]
    id: Request


class Offer(Message):
    t: Literal["offer"]
    id: Request
    kind: Literal["draw", "takeback", "rematch"]


class Accept(Message):
    t: Literal["accept"]
    id: Request
    offer: Annotated[int, Field(ge=0)]


class Decline(Message):
    """Refuse the opponent's offer or withdraw one's own."""

    t: Literal["decline"]
    id: Request
    offer: Annotated[int, Field(ge=0)]


class Claim(Message):
    """The opponent has left: ask for the win, or be content with a draw."""

    t: Literal["claim"]
    id: Request
    result: Literal["win", "draw"]


class Chat(Message):
    """Players talk to each other, everybody else to the watchers; the server decides which by the seat."""

    t: Literal["chat"]
    id: Request
    text: Annotated[str, Field(min_length=1, max_length=140)]


class Ping(Message):
    """The browser asks whether the line is alive."""

    t: Literal["ping"]


class Pong(Message):
    """Answer to the server's `ping`, with its payload; the server measures the lag by it."""

    t: Literal["pong"]
    p: Annotated[str, Field(min_length=1, max_length=16)]


class Bye(Message):
    """The page is being closed."""

    t: Literal["bye"]


Inbound = Annotated[
    Hi | Move | Resign | Abort | Offer | Accept | Decline | Claim | Chat | Ping | Pong | Bye,
    Field(discriminator="t"),
]


# --- to the browser: answers ------------------------------------------------------------------------------------


class Ok(Message):
    """The command `id` is done and stored; `dup` when it had been done before."""

    t: Literal["ok"] = "ok"
    id: int
    v: int
    dup: bool | None = None


class Error(Message):
    """Nothing was done. `code` is for programs, `message` for people. `id` is absent when no command could be read.

    Codes: bad_message, rate, busy, not_a_player, no_game, storage (nothing stored, send again), internal,
    and those of a game: over, not_started, not_your_turn, stale, illegal, not_allowed.
    """

    t: Literal["error"] = "error"
    id: int | None = None
    code: str
    message: str
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
    """This page speaks an older protocol than the server: load it again, once."""

    t: Literal["reload"] = "reload"


# --- to the browser: the game -----------------------------------------------------------------------------------


class Clocks(Message):
    """Time left when this was sent, ms (None: no limit). `run`: whose clock runs now. `paused`: why none runs."""

    white: int | None
    black: int | None
    run: Side | None
    paused: Literal["restart"] | None = None


class Seat(Message):
    """`name` is None while nobody sits there."""

    id: str | None
    name: str | None


class OpenOffer(Message):
    offer: int
    kind: Literal["draw", "takeback", "rematch"]
    by: Side


class ChatLine(Message):
    room: Room
    name: str
    text: str
    at: int


class Ended(Message):
    """`result`: 1-0, 0-1, 1/2-1/2, or * when the game was aborted. `reason`: checkmate, stalemate, insufficient,
    repetition, move-rule, bare-king, resign, agreement, abort, time, left, expired."""

    result: str
    winner: Side | None
    reason: str


class Snapshot(Message):
    """The whole game as this viewer may see it. `moves` holds [uci, san, ms left to the mover or null] each.

    `legal` holds the legal moves, UCI, separated by blanks, and is given only to the player who is to move.
    """

    t: Literal["snapshot"] = "snapshot"
    epoch: str
    v: int
    game: str
    variant: str
    chess960: bool
    rated: bool
    you: Side | None
    status: Literal["open", "live", "over"]
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
    offers: list[OpenOffer]
    ended: Ended | None
    next: str | None
    can_abort: bool
    chat: list[ChatLine]
    invited: bool = False


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
    """Moves were taken back; the game stands after `plies` half-moves."""

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
    kind: Literal["draw", "takeback", "rematch"]
    by: Side


class OfferClosed(Message):
    t: Literal["offer_closed"] = "offer_closed"
    v: int
    offer: int
    kind: Literal["draw", "takeback", "rematch"]
    how: How


class Over(Message):
    t: Literal["over"] = "over"
    v: int
    ended: Ended
    clock: Clocks


class ClockSet(Message):
    """The clocks changed without a move. `why`: restart (stopped: the server was away), resumed, stall."""

    t: Literal["clock"] = "clock"
    v: int
    why: Literal["restart", "resumed", "stall"]
    clock: Clocks


class Rematch(Message):
    """Both players go on in the game `next`."""

    t: Literal["rematch"] = "rematch"
    v: int
    next: str


class Said(Message):
    t: Literal["said"] = "said"
    v: int
    line: ChatLine


class Nothing(Message):
    """An event that is not for this viewer; keeps the numbering whole."""

    t: Literal["nothing"] = "nothing"
    v: int


class Resumed(Message):
    """Every event that was missed has been sent again; here are the clocks and the legal moves as they are now.

    Not numbered. `v` is the last event; events sent again carry the clocks of their own time and no legal moves.
    """

    t: Literal["resumed"] = "resumed"
    v: int
    clock: Clocks
    legal: str | None = None


class Presence(Message):
    """How a player's line is. `claim_in`: ms until the opponent may claim; 0: now; None: no claim."""

    here: Literal["here", "lost", "left", "away"]
    lag: int | None = None
    claim_in: int | None = None


class Crowd(Message):
    """Who is here. Not numbered: only the latest counts."""

    t: Literal["crowd"] = "crowd"
    white: Presence
    black: Presence
    watchers: int


class Restart(Message):
    """The server stops and will be back; come again after a random part of `within` ms."""

    t: Literal["restart"] = "restart"
    within: int


GameEvent = Joined | Moved | TookBack | Offered | OfferClosed | Over | ClockSet | Rematch | Said | Nothing
Outbound = Annotated[
    Ok | Error | Wait | PongOut | PingOut | Reload | Snapshot | GameEvent | Resumed | Crowd | Restart,
    Field(discriminator="t"),
]
