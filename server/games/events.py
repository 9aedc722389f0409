"""What happens in a game, each event a frozen value; those of its clocks are in `clock_events`.
`realtime.protocol.game_events` turns them into messages.

An event says which fields of the game it tells of, and can be recognised by what differs between two states of it:
another process learns only what was stored. What no event explains is shown as a whole game.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Literal, Self

from server.games.clock_events import ClockEvent
from server.games.clocks.time_control import for_color
from server.games.event_kind import EventKind
from server.games.player import Player
from server.games.state import Game, Offer, OfferKind
from server.rules.endings import Outcome
from server.rules.movegen.position import Position
from server.rules.variant.pieces import Color

OfferEnd = Literal["accepted", "declined", "lapsed"]
"""How an offer is closed. Lapsed: withdrawn, or cancelled by a move or the end of the game."""


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
        {"outcome", "aborted_by", "ended", "status", "clock", "invites", "expires", "adjourned", "away"}
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


Event = (
    Joined
    | BothMet
    | Moved
    | OfferClosed
    | Offered
    | TookBack
    | Adjourned
    | Ready
    | ClockEvent
    | FlaggingChosen
    | Ended
    | RematchAgreed
)
"""The order is that in which the events of one change are told."""

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
