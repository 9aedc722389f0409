"""What happens in a game, each event a frozen value. `realtime.protocol.game_events` turns them into messages.

An event says which fields of the game it tells of, and can be recognised by what differs between two states of it:
another process learns only what was stored. What no event explains is shown as a whole game.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Self

from server.games.clocks.time_control import for_color
from server.games.player import Player
from server.games.state import Game, Offer, OfferKind
from server.rules.endings import Outcome
from server.rules.movegen.position import Position
from server.rules.variant.pieces import Color

OfferEnd = Literal["accepted", "declined", "lapsed"]
"""How an offer is closed. Lapsed: withdrawn, or cancelled by a move or the end of the game."""


class EventKind:
    """What all events have. `tells`: the fields of the game that may differ because of it."""

    __slots__ = ()

    tells: ClassVar[frozenset[str]]

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        """Those of this kind that led from `before` to `after`, which is at most one move further; none if that cannot
        be seen, as of what lasts only a moment.
        """
        yield from ()


@dataclass(frozen=True, slots=True)
class Joined(EventKind):
    """`player` has taken the seat of `color`, or has a new name there."""

    tells: ClassVar = frozenset({"white", "black", "invites", "status", "expires"})
    color: Color
    player: Player

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        for color in Color:
            player = after.player(color)
            if player is not None and before.player(color) != player:
                yield cls(color, player)


@dataclass(frozen=True, slots=True)
class BothMet(EventKind):
    """Both players have been at the board: the first move is due soon."""

    tells: ClassVar = frozenset({"both_met", "expires"})

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        if after.both_met and not before.both_met:
            yield cls()


@dataclass(frozen=True, slots=True)
class Moved(EventKind):
    """`color` played half-move `ply` (0 = first), which led to `position`. `given_back`: lag given back, ms."""

    tells: ClassVar = frozenset({"plies", "position", "clock", "expires"})
    color: Color
    ply: int
    uci: str
    san: str
    given_back: int
    position: Position = field(repr=False)

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        number = len(before.plies)
        for ply in after.plies[number:]:
            yield cls(after.mover_of(number), number, ply.uci, ply.san, ply.given_back, after.position)


@dataclass(frozen=True, slots=True)
class OfferClosed(EventKind):
    tells: ClassVar = frozenset({"offers"})
    offer: int
    kind: OfferKind
    how: OfferEnd

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        for one in before.offers:
            if one not in after.offers:
                yield cls(one.id, one.kind, _how_closed(one, after))


@dataclass(frozen=True, slots=True)
class Offered(EventKind):
    tells: ClassVar = frozenset({"offers"})
    offer: int
    kind: OfferKind
    color: Color

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        for one in after.offers:
            if one not in before.offers:
                yield cls(one.id, one.kind, one.by)


@dataclass(frozen=True, slots=True)
class TookBack(EventKind):
    """The game is back at `plies` half-moves."""

    tells: ClassVar = frozenset({"plies", "position", "clock", "expires"})
    plies: int


@dataclass(frozen=True, slots=True)
class Adjourned(EventKind):
    """Adjourned by agreement: the clocks stop, and nobody can move until both players are ready."""

    tells: ClassVar = frozenset({"adjourned", "status", "clock"})

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        if before.adjourned is None and after.adjourned is not None:
            yield cls()


@dataclass(frozen=True, slots=True)
class Ready(EventKind):
    """`color` is ready to resume the adjourned game."""

    tells: ClassVar = frozenset({"adjourned"})
    color: Color

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        were = (0, 0) if before.adjourned is None else before.adjourned.ready
        are = (0, 0) if after.adjourned is None else after.adjourned.ready
        for color in Color:
            if for_color(are, color) and not for_color(were, color):
                yield cls(color)


@dataclass(frozen=True, slots=True)
class FlaggingChosen(EventKind):
    """`color` has chosen whether the opponent's time ends the game by itself, or only by a claim."""

    tells: ClassVar = frozenset({"flags_by_hand"})
    color: Color
    by_hand: bool

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        for color in Color:
            by_hand = for_color(after.flags_by_hand, color)
            if by_hand is not for_color(before.flags_by_hand, color):
                yield cls(color, by_hand)


@dataclass(frozen=True, slots=True)
class Ended(EventKind):
    tells: ClassVar = frozenset(
        {"outcome", "aborted_by", "declined_for", "ended", "status", "clock", "invites", "expires", "adjourned", "away"}
    )
    outcome: Outcome

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        if before.outcome is None and after.outcome is not None:
            yield cls(after.outcome)


@dataclass(frozen=True, slots=True)
class RematchAgreed(EventKind):
    """The players play again, in the game `next_id`."""

    tells: ClassVar = frozenset({"next"})
    next_id: str

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        if before.next is None and after.next is not None:
            yield cls(after.next)


@dataclass(frozen=True, slots=True)
class ClockPaused(EventKind):
    tells: ClassVar = frozenset({"clock"})

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        paused = before.clock.paused_at is None and after.clock.paused_at is not None
        if paused and _clock_is_for_itself(before, after):
            yield cls()


@dataclass(frozen=True, slots=True)
class ClockResumed(EventKind):
    """The clocks run again, or would if nobody were on vacation: an adjournment or a pause is over."""

    tells: ClassVar = frozenset({"clock", "status", "adjourned", "away", "expires"})

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        resumed = before.clock.paused_at is not None and after.clock.paused_at is None
        goes_on = before.adjourned is not None and after.adjourned is None and after.outcome is None
        if goes_on or (resumed and _clock_is_for_itself(before, after)):
            yield cls()


@dataclass(frozen=True, slots=True)
class ClockAdjusted(EventKind):
    """The server stalled for `ms` and has given that time back."""

    tells: ClassVar = frozenset({"clock"})
    ms: int

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        given = after.clock.since - before.clock.since
        same_turn = after.clock.turn is before.clock.turn is not None and len(after.plies) == len(before.plies)
        as_paused = (before.clock.paused_at is None) == (after.clock.paused_at is None)
        if given > 0 and same_turn and as_paused and _clock_is_for_itself(before, after):
            yield cls(given)


@dataclass(frozen=True, slots=True)
class WentBerserk(EventKind):
    """`color` has given away half of their time and their increments."""

    tells: ClassVar = frozenset({"clock"})
    color: Color

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        for color in Color:
            if for_color(after.clock.berserk, color) and not for_color(before.clock.berserk, color):
                yield cls(color)


@dataclass(frozen=True, slots=True)
class Away(EventKind):
    """`color` is on vacation until then (ms), and the clock stands; 0: they are back."""

    tells: ClassVar = frozenset({"away", "clock", "expires"})
    color: Color
    until: int

    @classmethod
    def between(cls, before: Game, after: Game) -> Iterator[Self]:
        for color in Color if after.outcome is None else ():
            until = for_color(after.away, color)
            if until != for_color(before.away, color):
                yield cls(color, until)


Event = (
    Joined
    | BothMet
    | Moved
    | OfferClosed
    | Offered
    | TookBack
    | Adjourned
    | Ready
    | ClockPaused
    | ClockResumed
    | ClockAdjusted
    | WentBerserk
    | Away
    | FlaggingChosen
    | Ended
    | RematchAgreed
)
"""The order is that in which the events of one change are shown."""

Transition = tuple[Game, tuple[Event, ...]]
"""What a change makes of a game, and the events of it."""


def _how_closed(offer: Offer, after: Game) -> OfferEnd:
    """How an offer ended that is no longer open in `after`."""
    match offer.kind:
        case OfferKind.DRAW if after.outcome is not None and after.outcome.reason == "agreement":
            return "accepted"
        case OfferKind.REMATCH if after.next is not None:
            return "accepted"
        case OfferKind.ADJOURN | OfferKind.PAUSE if after.adjourned is not None:
            return "accepted"
        case _:
            return "declined" if len(after.plies) == offer.ply and after.outcome is None else "lapsed"


def _clock_is_for_itself(before: Game, after: Game) -> bool:
    """Does the clock differ for no reason that another event tells?"""
    adjourned = before.adjourned is not None or after.adjourned is not None
    return after.outcome is None and not adjourned and before.away == after.away
