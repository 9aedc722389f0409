"""What people want to be told by mail and how often, as it is stored with an address. Pure.

Each wish is "kind:often"; whatever has none is never told.
"""

from typing import Final

TURN: Final = "turn"
"""It is their turn in a game that need not be played at once."""
AT_ONCE: Final = "at_once"
NEVER: Final = "never"
HOW_OFTEN: Final = (AT_ONCE, NEVER)

UNSUBSCRIBE: Final = "unsubscribe"
"""The purpose of tokens that end all of it at one address."""

Wishes = tuple[str, ...]


def how_often(wishes: Wishes, kind: str) -> str:
    """How often to tell of `kind`, one of HOW_OFTEN."""
    return next((often for named, _, often in map(_parts, wishes) if named == kind and often in HOW_OFTEN), NEVER)


def with_wish(wishes: Wishes, kind: str, often: str) -> Wishes:
    """`wishes` with `kind` told so `often`."""
    others = tuple(wish for wish in wishes if _parts(wish)[0] != kind)
    return others if often == NEVER else (*others, f"{kind}:{often}")


def _parts(wish: str) -> tuple[str, str, str]:
    return wish.partition(":")
