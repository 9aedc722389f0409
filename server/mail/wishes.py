"""What people want to be told by mail and how often, as it is stored with an address. Pure.

Each wish is "kind:often"; whatever has none is never told.
"""

from collections.abc import Iterable
from typing import Final

TURN: Final = "turn"
"""Their move, or an offer that waits for their answer, in a game that need not be played at once."""
RESULT: Final = "result"
"""Such a game is over, or a rematch of it is offered."""
CHALLENGE: Final = "challenge"
"""Somebody challenges them to such a game."""
KINDS: Final = (TURN, RESULT, CHALLENGE)
AT_ONCE: Final = "at_once"

UNSUBSCRIBE: Final = "unsubscribe"
"""The purpose of tokens that end all of it at one address."""

Wishes = tuple[str, ...]


def wishes_for(kinds: Iterable[str]) -> Wishes:
    """To be told of these kinds at once, and of no other."""
    return tuple(f"{kind}:{AT_ONCE}" for kind in kinds)


def is_wanted(wishes: Wishes, kind: str) -> bool:
    """Is `kind` to be told?"""
    return f"{kind}:{AT_ONCE}" in wishes
