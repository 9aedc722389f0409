"""Turns games into what their viewers may read.

`now` (ms) is when the message is made: its clocks are those of that instant.
"""

from collections.abc import Container, Iterable
from typing import Final

from server.games import events
from server.games.changes.beginning import challenged_players, is_proposed
from server.games.clocks.time_control import for_color
from server.games.conditional import steps_of
from server.games.events import ClockResumed
from server.games.people import has_account
from server.games.player import Player
from server.games.state import Game
from server.games.status import Status
from server.realtime.protocol.snapshot import Adjournment, Away, ChatLine, Clocks, Ended, OpenOffer, Seat, Snapshot
from server.realtime.protocol.wire import PlayerRating, Room, TreeStep, side
from server.rules.movegen.legal import in_check, legal_ucis
from server.rules.notation.fen import format_fen
from server.rules.variant.pieces import Color
from server.storage import stores

PlayerRatings = tuple[PlayerRating | None, PlayerRating | None]
"""The ratings of White and Black."""
NO_RATINGS: Final[PlayerRatings] = (None, None)


def sees_legal(game: Game, color: Color | None) -> bool:
    """Does `color` (None: a watcher) get the legal moves? The side to move does, even before the opponent comes.

    While the seat of the side to move is free all watchers do: whoever has its link takes it by moving.
    """
    seated = game.player(game.to_move) is not None
    if color is None:
        return game.status is Status.OPEN and not seated
    if color is not game.to_move or not seated:
        return False
    return game.status is Status.LIVE or (game.status is Status.OPEN and not game.plies)


def brings_legal(event: events.Event, game: Game) -> bool:
    """Does somebody get the legal moves of `game` with it? Not with a move that has been answered already."""
    if isinstance(event, events.Moved):
        return event.ply + 1 == len(game.plies)
    return isinstance(event, events.TookBack | ClockResumed)


def legal(game: Game) -> str:
    """The legal moves of the side to move, as UCI separated by spaces."""
    return " ".join(legal_ucis(game.position))


def conditional(game: Game, color: Color | None) -> list[TreeStep] | None:
    """The conditional moves that the player of `color` has prepared; None: there are none."""
    return None if color is None else list(steps_of(for_color(game.conditional, color))) or None


def may_read(line: stores.ChatLine, game: Game, color: Color | None, *, invited: bool = False) -> bool:
    """Watchers read watchers. Players and the invited read each other, and the watchers after the game."""
    plays = color is not None or invited
    if line.room == "players":
        return plays
    return not plays or game.status is Status.OVER


def chat_line(line: stores.ChatLine, bots: Container[str] = ()) -> ChatLine:
    """`bots`: the ids of those who are."""
    room: Room = "players" if line.room == "players" else "watchers"
    account = has_account(Player(line.player, line.name))
    return ChatLine(
        room=room,
        name=line.name,
        account=1 if account else None,
        bot=1 if line.player in bots else None,
        text=line.text,
        at=line.at,
    )


def snapshot(
    game: Game,
    color: Color | None,
    now: int,
    *,
    invited: bool = False,
    epoch: str,
    v: int,
    chat: Iterable[stores.ChatLine],
    ratings: PlayerRatings,
    bots: Container[str] = (),
) -> Snapshot:
    """Everything that the player of `color` (None: a watcher, or somebody `invited`) may know about the game."""
    control = game.terms.control
    asked, asked_next = _asked(game, bots, invited=invited)
    return Snapshot(
        epoch=epoch,
        v=v,
        game=game.id,
        variant=game.terms.variant.id,
        chess960=game.terms.chess960,
        rated=game.terms.rated,
        you=None if color is None else side(color),
        status=game.status.value,
        white=Seat.of(game.white, bots),
        black=Seat.of(game.black, bots),
        start_fen=game.terms.start_fen,
        fen=format_fen(game.position),
        check=in_check(game.position),
        turn=side(game.to_move),
        moves=[(ply.uci, ply.san, ply.left_ms) for ply in game.plies],
        legal=legal(game) if sees_legal(game, color) else None,
        clock=Clocks.of(game, now),
        initial=control.initial_ms if control.keeps_time else (None, None),
        increment=control.increment_ms,
        days=control.days,
        cap=control.cap_ms,
        offers=[OpenOffer(offer=one.id, kind=one.kind.value, by=side(one.by)) for one in game.offers],
        ended=None if game.outcome is None else Ended.of(game, game.outcome),
        next=game.next,
        can_abort=color is not None and game.status is not Status.OVER and not game.started,
        chat=[chat_line(line, bots) for line in chat if may_read(line, game, color, invited=invited)],
        invited=game.status is Status.OPEN and game.invites != (None, None),
        asked=asked,
        asked_next=asked_next,
        proposed_by=game.proposer.name if invited and game.proposer is not None else None,
        adjourned=Adjournment.of(game),
        away=Away.of(game),
        by_hand=game.flags_by_hand if any(game.flags_by_hand) else None,
        conditional=conditional(game, color),
        white_strength=ratings[0],
        black_strength=ratings[1],
    )


def _asked(game: Game, bots: Container[str], *, invited: bool) -> tuple[Seat | None, Seat | None]:
    """The seats of the player who is asked by name now, and of the one who is asked next.

    Two people for whom somebody else thought of the game have not agreed to be named with it: only they, the `invited`,
    read who it is; everybody else, that there is somebody.
    """
    hidden = is_proposed(game) and not invited
    asked = [Seat.of(None if hidden else player, bots) for player in challenged_players(game)]
    return (asked[0] if asked else None, asked[1] if len(asked) == len(Color) else None)
