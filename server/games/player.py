"""Who sits at a board. Knows nothing of sessions, passwords or sockets."""

from dataclasses import dataclass
from typing import Final

DELETED_NAME: Final = "(deleted)"
"""What people are called whose account was deleted. Nobody can choose such a name."""


@dataclass(frozen=True, slots=True)
class Player:
    """A person as a game knows them: `id` is public and stable, `name` is what others read.

    In a game that was played elsewhere `id` is "": nobody of this site is meant by the name.
    """

    id: str
    name: str

    @property
    def deleted(self) -> bool:
        """Was their account deleted, so that nobody will ever answer for them?"""
        return self.name == DELETED_NAME
