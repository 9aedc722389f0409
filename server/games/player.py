"""Who sits at a board. Knows nothing of sessions, passwords or sockets."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Player:
    """A person as a game knows him: `id` is public and stable, `name` is what others read."""

    id: str
    name: str
