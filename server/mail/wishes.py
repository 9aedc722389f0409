"""What people want to be told by mail and web push and how often, as it is stored. Pure.

At an address each wish is "kind:often"; whatever has none is never told. Reminders and messages are exceptions:
addresses that were stored before there were any by mail are told of them where, and messages as often as, they are told
of turns.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from server.storage.protocols import held

TURN: Final = "turn"
"""Their move, or an offer that waits for their answer, in a game that need not be played at once."""
REMINDER: Final = "reminder"
"""Half or nine tenths of their time for a move have passed. It cannot wait for other news."""
RESULT: Final = "result"
"""Such a game is over, or a rematch of it is offered."""
MESSAGE: Final = held.MESSAGE
"""The opponent has said something to them in such a game."""
CHALLENGE: Final = "challenge"
"""Somebody challenges them to such a game."""
KINDS: Final = (TURN, REMINDER, MESSAGE, RESULT, CHALLENGE)
WITH_TURNS: Final = (REMINDER, MESSAGE)
"""Kinds that are told where turns are, if nothing is said of them."""

UNSUBSCRIBE: Final = "unsubscribe"
"""The purpose of tokens that end all of it at one address."""

Wishes = tuple[str, ...]


class Often(StrEnum):
    """How often somebody is told: each time at once, or of several together, at most once an hour or a day."""

    AT_ONCE = "at_once"
    HOURLY = "hourly"
    DAILY = "daily"
    NEVER = "never"


CHOICES: Final[Mapping[str, tuple[Often, ...]]] = {
    kind: (Often.AT_ONCE, Often.NEVER) if kind == REMINDER else tuple(Often) for kind in KINDS
}
"""How often each kind can be told."""


def wishes_for(chosen: Mapping[str, Often]) -> Wishes:
    """The wish to be told of these kinds that often, and of no others."""
    wanted = tuple(f"{kind}:{often}" for kind, often in chosen.items() if often is not Often.NEVER)
    if chosen.get(TURN, Often.NEVER) is Often.NEVER:
        return wanted
    return (*wanted, *(f"{kind}:{Often.NEVER}" for kind in WITH_TURNS if chosen.get(kind) is Often.NEVER))


def how_often(wishes: Wishes, kind: str) -> Often:
    """How often `kind` is to be told."""
    stored = {name: often for name, _, often in (wish.partition(":") for wish in wishes)}
    if kind in WITH_TURNS and kind not in stored:
        turns = how_often(wishes, TURN)
        return turns if turns in CHOICES[kind] else Often.AT_ONCE
    found = stored.get(kind, "")
    return next((often for often in CHOICES.get(kind, ()) if often == found), Often.NEVER)


def wants_any(wishes: Wishes) -> bool:
    """Is anything to be told?"""
    return any(how_often(wishes, kind) is not Often.NEVER for kind in KINDS)


def pushed(silent: Wishes, kind: str) -> Often:
    """How often web push tells `kind`. What is stored, `silent`, names only what is not told at once: a kind alone is
    never told.
    """
    if kind in silent:
        return Often.NEVER
    return next((often for often in CHOICES.get(kind, ()) if f"{kind}:{often}" in silent), Often.AT_ONCE)


def silent_for(chosen: Mapping[str, Often]) -> Wishes:
    """What is stored so that web push tells these kinds so often, and any other at once."""
    later = {kind: often for kind, often in chosen.items() if often is not Often.AT_ONCE}
    return tuple(kind if often is Often.NEVER else f"{kind}:{often}" for kind, often in later.items())
