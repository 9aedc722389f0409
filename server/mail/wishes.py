"""Which notifications people want by mail and web push, and how often, as it is stored. Pure.

At an address each wish is "kind:often"; a kind without a wish is never sent. Reminders and messages are exceptions: an
address that was stored before mail had these kinds gets reminders if it gets turns, and messages as often as turns.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from server.storage.tables import outbox

TURN: Final = "turn"
"""Their move, or an offer that waits for their answer, in a game that need not be played at once."""
REMINDER: Final = "reminder"
"""Half or nine tenths of their time for a move have passed. It cannot wait for other news."""
RESULT: Final = "result"
"""Such a game is over, or a rematch of it is offered."""
MESSAGE: Final = outbox.MESSAGE
"""The opponent has said something to them in such a game."""
CHALLENGE: Final = "challenge"
"""Somebody challenges them to such a game."""
KINDS: Final = (TURN, REMINDER, MESSAGE, RESULT, CHALLENGE)
WITH_TURNS: Final = (REMINDER, MESSAGE)
"""Kinds that follow the wish for turns where an address has no wish for them."""

UNSUBSCRIBE: Final = "unsubscribe"
"""The purpose of tokens that end all of it at one address."""

Wishes = tuple[str, ...]


class Frequency(StrEnum):
    """How often notifications are sent: each at once, or collected, at most once an hour or a day."""

    AT_ONCE = "at_once"
    HOURLY = "hourly"
    DAILY = "daily"
    NEVER = "never"


CHOICES: Final[Mapping[str, tuple[Frequency, ...]]] = {
    kind: (Frequency.AT_ONCE, Frequency.NEVER) if kind == REMINDER else tuple(Frequency) for kind in KINDS
}
"""The frequencies that each kind offers."""


def wishes_for(chosen: Mapping[str, Frequency]) -> Wishes:
    """The wishes, as they are stored, for these kinds at these frequencies and for no others."""
    wanted = tuple(f"{kind}:{often}" for kind, often in chosen.items() if often is not Frequency.NEVER)
    if chosen.get(TURN, Frequency.NEVER) is Frequency.NEVER:
        return wanted
    return (*wanted, *(f"{kind}:{Frequency.NEVER}" for kind in WITH_TURNS if chosen.get(kind) is Frequency.NEVER))


def how_often(wishes: Wishes, kind: str) -> Frequency:
    """How often `kind` is sent to an address with these wishes."""
    stored = {name: often for name, _, often in (wish.partition(":") for wish in wishes)}
    if kind in WITH_TURNS and kind not in stored:
        turns = how_often(wishes, TURN)
        return turns if turns in CHOICES[kind] else Frequency.AT_ONCE
    found = stored.get(kind, "")
    return next((often for often in CHOICES.get(kind, ()) if often == found), Frequency.NEVER)


def wants_any(wishes: Wishes) -> bool:
    """Is any kind sent at all?"""
    return any(how_often(wishes, kind) is not Frequency.NEVER for kind in KINDS)


def push_frequency(silent: Wishes, kind: str) -> Frequency:
    """How often web push sends `kind`. `silent`, as it is stored, names only kinds that are not sent at once; a kind
    without a frequency is never sent.
    """
    if kind in silent:
        return Frequency.NEVER
    return next((often for often in CHOICES.get(kind, ()) if f"{kind}:{often}" in silent), Frequency.AT_ONCE)


def silent_wishes(chosen: Mapping[str, Frequency]) -> Wishes:
    """What is stored so that web push sends these kinds at these frequencies, and all others at once."""
    later = {kind: often for kind, often in chosen.items() if often is not Frequency.AT_ONCE}
    return tuple(kind if often is Frequency.NEVER else f"{kind}:{often}" for kind, often in later.items())
