"""Who sits at a board. Knows nothing of sessions, passwords or sockets."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Player:
    """A person as a game knows him: `id` is public and stable, `name` is what others read.

    In a game that was played elsewhere `id` is "": nobody of this site is meant by the name.
    """

    id: str
    name: str
