"""A game as a whole, as a page gets it first: seats, clocks, moves, offers, chat.

Its parts are made of a game here, since events bring them, too; who may read what, `realtime.play.views` knows.
"""

from collections.abc import Container
from typing import Literal, Self

from server.games.changes.pausing import claimable_at
from server.games.people import has_account
from server.games.player import Player
from server.games.rating import long_enough
from server.games.state import Game
from server.games.status import Status
from server.realtime.protocol.wire import Message, OfferKind, PlayerRating, Room, Side, TreeStep, side
from server.rules.endings import Outcome
from server.rules.variant.pieces import Color


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

    @classmethod
    def of(cls, game: Game, now: int) -> Self:
        """What both clocks show at `now` (ms), which of them runs, and why none does."""
        clock = game.clock
        running = clock.turn is not None and clock.paused_at is None
        return cls(
            white=clock.remaining(Color.WHITE, now),
            black=clock.remaining(Color.BLACK, now),
            run=side(clock.turn) if clock.turn is not None and running else None,
            paused=_paused(game),
            begin=_begin_ms(game, now),
        )


def _begin_ms(game: Game, now: int) -> int | None:
    """How long (ms) the side to move has for its first move; None unless that is soon."""
    waits = game.both_met and not game.started and game.status is Status.LIVE and game.clock.paused_at is None
    return max(0, game.expires - now) if waits and game.expires is not None else None


def _paused(game: Game) -> Literal["restart", "adjourned", "vacation"] | None:
    if game.clock.paused_at is None:
        return None
    if game.adjourned is not None:
        return "adjourned"
    return "vacation" if game.on_vacation else "restart"


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

    @classmethod
    def of(cls, player: Player | None, bots: Container[str] = ()) -> Self:
        """`bots`: the ids of those who are."""
        if player is None:
            return cls(id=None, name=None)
        return cls(
            id=player.id,
            name=player.name,
            account=1 if has_account(player) else None,
            bot=1 if player.id in bots else None,
            deleted=1 if player.deleted else None,
            level=player.level or None,
        )


class Adjournment(Message):
    """The game was adjourned at `at`; since when each side has been ready to resume (None: not). Ms since the epoch.

    `claim`: who may claim the game, and from when.
    """

    at: int
    white: int | None
    black: int | None
    claim: tuple[Side, int] | None = None

    @classmethod
    def of(cls, game: Game) -> Self | None:
        """None: the game is not adjourned."""
        adjourned = game.adjourned
        if adjourned is None:
            return None
        white, black = adjourned.ready
        claims = [(side(color), at) for color in Color if (at := claimable_at(game, color)) is not None]
        return cls(at=adjourned.at, white=white or None, black=black or None, claim=claims[0] if claims else None)


class Away(Message):
    """Until when each side is on vacation, ms since the epoch; None: they are not."""

    white: int | None = None
    black: int | None = None

    @classmethod
    def of(cls, game: Game) -> Self | None:
        """None: nobody is on vacation."""
        white, black = game.away
        return cls(white=white or None, black=black or None) if game.on_vacation else None


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
    move-rule, bare-king, goal, checks, extinction, explosion, resign, agreement, abort, time, left, expired, declined;
    in imported games also imported and unfinished. `by`: who aborted it, if that is known. `unrated`: it was to be
    rated, and is too short for that."""

    result: str
    winner: Side | None
    reason: str
    by: Side | None = None
    unrated: Literal[True] | None = None

    @classmethod
    def of(cls, game: Game, outcome: Outcome) -> Self:
        """How `game` ended, and who won or aborted it."""
        winner = None if outcome.winner is None else side(outcome.winner)
        by = None if game.aborted_by is None else side(game.aborted_by)
        short = game.terms.rated and game.result != "*" and not long_enough(len(game.plies), outcome.reason)
        return cls(result=game.result, winner=winner, reason=outcome.reason, by=by, unrated=short or None)


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
