"""Draws names for guests, easy to say aloud. Knows nobody."""

import secrets

from server.games.people.guest_names import ANIMALS, MANNERS


def guest_name() -> str:
    """A random name such as QuietHeron27. Two guests may share one; ids tell people apart."""
    return f"{secrets.choice(MANNERS)}{secrets.choice(ANIMALS)}{10 + secrets.randbelow(90)}"
