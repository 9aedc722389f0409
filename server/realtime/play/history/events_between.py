"""The events between two stored states of a game that another process has changed.

A single change is told as its events; if more has happened, viewers are better served with a snapshot. So they are if
anything differs that none of the events tells of, as after an event that is new and not known here.
"""

from collections.abc import Set
from dataclasses import fields
from typing import Any, Final, get_args

from server.games.events import Event
from server.games.state import Game

KINDS: Final[tuple[type[Event], ...]] = get_args(Event)
TOLD_TO_NOBODY: Final = frozenset(
    {"rev", "keys", "next_offer", "offer_limits", "pause_ended", "unhurried", "conditional", "proposer"}
)
"""The fields of a game of which no event tells: they count, or are for the eyes of one player."""
COUNTED_BY_THE_CLOCK: Final = frozenset({"quotas", "given_ms", "busy_ms", "reminded", "replaced", "since"})
"""The same of its clock. `since` is here because it may be later in this process, which has given back time that is not
stored yet; one that is later in the store is told as ClockAdjusted.
"""


def events_between(before: Game, after: Game) -> list[Event] | None:
    """The events from `before` to `after`, if that is at most one move further and they tell everything; otherwise
    None.
    """
    if len(after.plies) > len(before.plies) + 1 or not after.plies.starts_with(before.plies):
        return None
    events = [event for kind in KINDS for event in kind.between(before, after)]
    told = frozenset[str]().union(*(event.tells for event in events))
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
