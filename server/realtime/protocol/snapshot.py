"""A game as a whole, as a page gets it first: seats, clocks, moves, offers, chat."""

from typing import Literal

from server.realtime.protocol.wire import Message, OfferKind, PlayerRating, Room, Side, TreeStep


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
    """A player. `name`: None while the seat is empty. `account`: they have one, and so a page of their own, /@/name.
    `bot`: a program plays. `deleted`: the account was deleted. `level`: the computer plays, at this level; in the
    browser of its opponent, whose page sends what it does.
    """

    id: str | None
    name: str | None
    account: Literal[1] | None = None
    bot: Literal[1] | None = None
    deleted: Literal[1] | None = None
    level: int | None = None


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
    """`account`, `bot`: as in `Seat`, of whoever wrote it."""

    room: Room
    name: str
    account: Literal[1] | None = None
    bot: Literal[1] | None = None
    text: str
    at: int


class Ended(Message):
    """`result`: 1-0, 0-1, 1/2-1/2, or * if there is none. `reason`: checkmate, stalemate, insufficient, repetition,
    move-rule, bare-king, resign, agreement, abort, time, left, expired, declined; in imported games also imported and
    unfinished. `by`: who aborted it, if that is known."""

    result: str
    winner: Side | None
    reason: str
    by: Side | None = None


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
    proposed_by: str | None = None
    """Who proposes this game, of which they are no player, to the viewer."""
    adjourned: Adjournment | None = None
    away: Away | None = None
    """Who is on vacation; None: nobody."""
    by_hand: tuple[bool, bool] | None = None
    """Whether White and Black flag by hand, as in `flagging`; None: neither."""
    conditional: list[TreeStep] | None = None
    """The viewer's own conditional moves, as in `conditional`."""
    white_strength: PlayerRating | None = None
    black_strength: PlayerRating | None = None
