"""The events between two stored states of a game that another process has changed.

A single change is told as its events; if more has happened, viewers are better served with a snapshot. So they are if
anything differs that none of the events tells of, as after an event that is new and not known here.
"""

from collections.abc import Mapping, Set
from dataclasses import fields
from typing import Any, Final

from server.games.clocks.time_control import for_color
from server.games.events import (
    Adjourned,
    Away,
    BothMet,
    ClockAdjusted,
    ClockPaused,
    ClockResumed,
    Ended,
    Event,
    FlaggingChosen,
    Joined,
    Moved,
    OfferClosed,
    Offered,
    OfferEnd,
    Ready,
    RematchAgreed,
)
from server.games.state import Game, Offer, OfferKind
from server.rules.variant.pieces import Color

TOLD_TO_NOBODY: Final = frozenset(
    {"rev", "keys", "next_offer", "offer_limits", "pause_ended", "unhurried", "conditional", "proposer"}
)
"""The fields of a game of which no event tells: they count, or are for the eyes of one player."""
COUNTED_BY_THE_CLOCK: Final = frozenset({"quotas", "given_ms", "busy_ms", "reminded", "replaced", "since"})
"""The same of its clock. `since` is here because it may be later in this process, which has given back time that is not
stored yet; one that is later in the store is told as ClockAdjusted.
"""
TOLD_BY: Final[Mapping[type[Event], Set[str]]] = {
    Joined: {"white", "black", "invites", "status", "expires"},
    BothMet: {"both_met", "expires"},
    Moved: {"plies", "position", "clock", "expires"},
    Offered: {"offers"},
    OfferClosed: {"offers"},
    Adjourned: {"adjourned", "status", "clock"},
    Ready: {"adjourned"},
    ClockPaused: {"clock"},
    ClockResumed: {"clock", "status", "adjourned", "away", "expires"},
    ClockAdjusted: {"clock"},
    Away: {"away", "clock", "expires"},
    FlaggingChosen: {"flags_by_hand"},
    Ended: {"outcome", "aborted_by", "ended", "status", "clock", "invites", "expires", "adjourned", "away"},
    RematchAgreed: {"next"},
}
"""Which fields of the game each event tells of."""


def events_between(before: Game, after: Game) -> list[Event] | None:
    """The events from `before` to `after`, if that is at most one move further and they tell everything; otherwise
    None.
    """
    new_plies = after.plies[len(before.plies) :]
    if len(new_plies) > 1 or not after.plies.starts_with(before.plies):
        return None
    events: list[Event] = []
    for color in Color:
        player = after.player(color)
        if player is not None and before.player(color) != player:
            events.append(Joined(color, player))
    if after.both_met and not before.both_met:
        events.append(BothMet())
    for ply in new_plies:
        number = len(before.plies)
        events.append(Moved(after.mover_of(number), number, ply.uci, ply.san, ply.given_back, after.position))
    events += [OfferClosed(one.id, one.kind, _how(one, after)) for one in before.offers if one not in after.offers]
    events += [Offered(one.id, one.kind, one.by) for one in after.offers if one not in before.offers]
    events += _adjournment_events(before, after) or _clock_events(before, after)
    events += _vacation_events(before, after)
    events += _flagging_events(before, after)
    if after.outcome is not None and before.outcome is None:
        events.append(Ended(after.outcome))
    if after.next is not None and before.next is None:
        events.append(RematchAgreed(after.next))
    told = frozenset[str]().union(*(TOLD_BY[type(event)] for event in events))
    return events if _changed(before, after) <= told else None


def _changed(before: Game, after: Game) -> set[str]:
    """The fields that differ and are shown to somebody."""
    changed = _differing(before, after, TOLD_TO_NOBODY)
    if "clock" in changed and not _differing(before.clock, after.clock, COUNTED_BY_THE_CLOCK):
        changed.remove("clock")
    return changed


def _differing(before: Any, after: Any, ignored: Set[str]) -> set[str]:
    names = {field.name for field in fields(before)} - ignored
    return {name for name in names if getattr(before, name) != getattr(after, name)}


def _how(offer: Offer, after: Game) -> OfferEnd:
    """How an offer ended that is no longer open."""
    match offer.kind:
        case OfferKind.DRAW if after.outcome is not None and after.outcome.reason == "agreement":
            return "accepted"
        case OfferKind.REMATCH if after.next is not None:
            return "accepted"
        case OfferKind.ADJOURN | OfferKind.PAUSE if after.adjourned is not None:
            return "accepted"
        case _:
            return "declined" if len(after.plies) == offer.ply and after.outcome is None else "lapsed"


def _adjournment_events(before: Game, after: Game) -> list[Event]:
    """The events of adjourning; resuming is an event of the clock."""
    if after.adjourned is None:
        return []
    ready = (0, 0) if before.adjourned is None else before.adjourned.ready
    newly: list[Event] = [
        Ready(color) for color in Color if for_color(after.adjourned.ready, color) and not for_color(ready, color)
    ]
    return newly if before.adjourned is not None else [Adjourned(), *newly]


def _vacation_events(before: Game, after: Game) -> list[Event]:
    """Who has gone on vacation, or come back, which says itself whether the clock stands."""
    if after.outcome is not None:
        return []
    away = {color: for_color(after.away, color) for color in Color}
    return [Away(color, until) for color, until in away.items() if until != for_color(before.away, color)]


def _flagging_events(before: Game, after: Game) -> list[Event]:
    chosen = {color: for_color(after.flags_by_hand, color) for color in Color}
    changed = [color for color in Color if chosen[color] is not for_color(before.flags_by_hand, color)]
    return [FlaggingChosen(color, chosen[color]) for color in changed]


def _clock_events(before: Game, after: Game) -> list[Event]:
    """The events of the clock, other than by a move or the end of the game."""
    if after.outcome is not None:
        return []
    if before.adjourned is not None and after.adjourned is None:
        # The clock still stands if somebody is on vacation.
        return [ClockResumed()]
    if before.away != after.away:
        return []
    if (before.clock.paused_at is None) != (after.clock.paused_at is None):
        return [ClockResumed() if after.clock.paused_at is None else ClockPaused()]
    given = after.clock.since - before.clock.since
    same_turn = after.clock.turn is not None and len(after.plies) == len(before.plies)
    return [ClockAdjusted(given)] if same_turn and before.clock.turn is after.clock.turn and given > 0 else []
