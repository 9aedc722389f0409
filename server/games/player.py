"""A player of a game: an id and a name."""

from dataclasses import dataclass
from typing import Final

DELETED_NAME: Final = "(deleted)"
"""The name shown for a deleted account. Nobody can choose it."""


@dataclass(frozen=True, slots=True)
class Player:
    """`id` is public and stable, `name` is what others see.

    In an imported game `id` is "": the name means nobody on this site.
    """

    id: str
    name: str

    @property
    def deleted(self) -> bool:
        """Was the account deleted, so that nobody will ever answer?"""
        return self.name == DELETED_NAME
