"""Turns games and events into the messages that their viewers may read.

`now` (ms) is when the message is made: its clocks are those of that instant.
"""

from collections.abc import Container, Iterable, Mapping
from functools import partial
from typing import Final, Literal, assert_never

from server.games import events
from server.games.changes.adjourning import claimable_at
from server.games.changes.beginning import challenged_players, is_proposed
from server.games.clocks.time_control import for_color
from server.games.conditional import steps_of
from server.games.people.guest_names import has_account
from server.games.player import Player
from server.games.state import Game
from server.games.status import Status
from server.realtime.protocol import game_events
from server.realtime.protocol.game_events import ClockSetWhy, GameEvent
from server.realtime.protocol.snapshot import Adjournment, Away, ChatLine, Clocks, Ended, OpenOffer, Seat, Snapshot
from server.realtime.protocol.wire import PlayerRating, Room, Side, TreeStep
from server.rules.endings import Outcome
from server.rules.movegen.legal import in_check, legal_ucis
from server.rules.notation.fen import format_fen
from server.rules.variant.pieces import Color
from server.storage import stores

PlayerRatings = tuple[PlayerRating | None, PlayerRating | None]
"""The ratings of White and Black."""
NO_RATINGS: Final[PlayerRatings] = (None, None)
CLOCK_SET_BY: Final[Mapping[type[events.Event], ClockSetWhy]] = {
    events.BothMet: "begin",
    events.ClockPaused: "restart",
    events.ClockResumed: "resumed",
    events.ClockAdjusted: "stall",
}
"""The events that do nothing but set the clocks, and what their message gives as the reason."""


def side(color: Color) -> Side:
    """The wire word for `color`."""
    return "white" if color is Color.WHITE else "black"


def clocks(game: Game, now: int) -> Clocks:
    """What both clocks show at `now` (ms), which of them runs, and why none does."""
    clock = game.clock
    running = clock.turn is not None and clock.paused_at is None
    return Clocks(
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


def away(game: Game) -> Away | None:
    """Who is on vacation; None: nobody."""
    white, black = game.away
    return Away(white=white or None, black=black or None) if game.on_vacation else None


def adjournment(game: Game) -> Adjournment | None:
    """Since when, who is ready, and from when (ms) somebody may claim; None: it is not adjourned."""
    adjourned = game.adjourned
    if adjourned is None:
        return None
    white, black = adjourned.ready
    claims = [(side(color), at) for color in Color if (at := claimable_at(game, color)) is not None]
    return Adjournment(at=adjourned.at, white=white or None, black=black or None, claim=claims[0] if claims else None)


def seat(player: Player | None, bots: Container[str] = ()) -> Seat:
    """`bots`: the ids of those who are."""
    if player is None:
        return Seat(id=None, name=None)
    return Seat(
        id=player.id,
        name=player.name,
        account=1 if has_account(player) else None,
        bot=1 if player.id in bots else None,
        deleted=1 if player.deleted else None,
        level=player.level or None,
    )


def ended(outcome: Outcome, game: Game) -> Ended:
    """How it ended, and who won or aborted it."""
    winner = None if outcome.winner is None else side(outcome.winner)
    by = None if game.aborted_by is None else side(game.aborted_by)
    return Ended(result=game.result, winner=winner, reason=outcome.reason, by=by)


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
    return isinstance(event, events.TookBack | events.ClockResumed)


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
    asked, asked_next = _asked(game, bots, invited=invited)
    return _public(game, now, bots)(
        epoch=epoch,
        v=v,
        you=None if color is None else side(color),
        legal=legal(game) if sees_legal(game, color) else None,
        conditional=conditional(game, color),
        proposed_by=game.proposer.name if invited and game.proposer is not None else None,
        asked=asked,
        asked_next=asked_next,
        can_abort=color is not None and game.status is not Status.OVER and not game.started,
        chat=[chat_line(line, bots) for line in chat if may_read(line, game, color, invited=invited)],
        white_strength=ratings[0],
        black_strength=ratings[1],
    )


def _public(game: Game, now: int, bots: Container[str]) -> partial[Snapshot]:
    """The fields of a snapshot that are the same for everybody."""
    control = game.terms.control
    return partial(
        Snapshot,
        game=game.id,
        variant=game.terms.variant.id,
        chess960=game.terms.chess960,
        rated=game.terms.rated,
        status=game.status.value,
        white=seat(game.white, bots),
        black=seat(game.black, bots),
        start_fen=game.terms.start_fen,
        fen=format_fen(game.position),
        check=in_check(game.position),
        turn=side(game.to_move),
        moves=[(ply.uci, ply.san, ply.left_ms) for ply in game.plies],
        clock=clocks(game, now),
        initial=control.initial_ms if control.keeps_time else (None, None),
        increment=control.increment_ms,
        days=control.days,
        cap=control.cap_ms,
        offers=[OpenOffer(offer=one.id, kind=one.kind.value, by=side(one.by)) for one in game.offers],
        ended=None if game.outcome is None else ended(game.outcome, game),
        next=game.next,
        invited=game.status is Status.OPEN and game.invites != (None, None),
        adjourned=adjournment(game),
        away=away(game),
        by_hand=game.flags_by_hand if any(game.flags_by_hand) else None,
    )


def _asked(game: Game, bots: Container[str], *, invited: bool) -> tuple[Seat | None, Seat | None]:
    """Who is asked by name now, and who next.

    Two people for whom somebody else thought of the game have not agreed to be named with it: only they, the `invited`,
    read who it is; everybody else, that there is somebody.
    """
    hidden = is_proposed(game) and not invited
    asked = [seat(None if hidden else player, bots) for player in challenged_players(game)]
    return (asked[0] if asked else None, asked[1] if len(asked) == len(Color) else None)


def event_message(event: events.Event, game: Game, v: int, now: int, bots: Container[str] = ()) -> GameEvent:
    """The message of `event`, which led to `game`, for everybody; the legal moves are added for one player."""
    match event:
        case events.Joined(color, player):
            return game_events.Joined(v=v, side=side(color), seat=seat(player, bots), clock=clocks(game, now))
        case events.Moved():
            return _moved(event, game, v, now)
        case events.Ended(outcome):
            return game_events.Over(v=v, ended=ended(outcome, game), clock=clocks(game, now))
        case events.Offered(offer, kind, color):
            return game_events.Offered(v=v, offer=offer, kind=kind.value, by=side(color))
        case events.OfferClosed(offer, kind, how):
            return game_events.OfferClosed(v=v, offer=offer, kind=kind.value, how=how)
        case events.TookBack(plies):
            return game_events.TookBack(
                v=v,
                plies=plies,
                fen=format_fen(game.position),
                check=in_check(game.position),
                clock=clocks(game, now),
            )
        case events.BothMet() | events.ClockPaused() | events.ClockResumed() | events.ClockAdjusted():
            return game_events.ClockSet(v=v, why=CLOCK_SET_BY[type(event)], clock=clocks(game, now))
        case events.Adjourned() | events.Ready():
            return _adjourned(game, v, now)
        case events.FlaggingChosen():
            return game_events.FlaggingChosen(v=v, by_hand=game.flags_by_hand)
        case events.Away():
            return game_events.Vacation(v=v, away=away(game), clock=clocks(game, now))
        case events.RematchAgreed(next_id):
            return game_events.Rematch(v=v, next=next_id)
        case _:
            assert_never(event)


def _adjourned(game: Game, v: int, now: int) -> GameEvent:
    adjourned = adjournment(game)
    if adjourned is None:
        # The game has gone on since: the next event says so.
        return game_events.Nothing(v=v)
    return game_events.Adjourned(v=v, adjourned=adjourned, clock=clocks(game, now))


def _moved(event: events.Moved, game: Game, v: int, now: int) -> game_events.Moved:
    keeps_time = game.terms.control.keeps_time
    return game_events.Moved(
        v=v,
        ply=event.ply,
        uci=event.uci,
        san=event.san,
        fen=format_fen(event.position),
        check=1 if in_check(event.position) else None,
        clock=clocks(game, now),
        left=None if keeps_time or event.ply >= len(game.plies) else game.plies[event.ply].left_ms,
        lag=event.given_back or None,
    )
