"""A player of a game: a person, by id and name, or the computer at one of its levels."""

import re
from dataclasses import dataclass
from typing import Final

DELETED_NAME: Final = "(deleted)"
"""The name shown for a deleted account. Nobody can choose it."""
LEVELS: Final = 8
"""How many levels the computer has, from 1; what they mean is for the engine to know (static/js/engine/levels.js)."""
COMPUTER_NAME: Final = re.compile(r"Computer \(level ([1-8])\)")
"""The computer's names, in files and for programs. Nobody can choose one, as no name has brackets."""


@dataclass(frozen=True, slots=True)
class Player:
    """`id` is public and stable, `name` is what others see.

    In an imported game `id` is "": the name means nobody on this site. So it is if the computer has the seat, at
    `level` 1 to LEVELS; a person has none, 0.
    """

    id: str
    name: str
    level: int = 0

    @property
    def deleted(self) -> bool:
        """Was the account deleted, so that nobody will ever answer?"""
        return self.name == DELETED_NAME


def computer_at(level: int) -> Player:
    """The computer as it plays at `level`. Raises ValueError if there is no such level."""
    if not 1 <= level <= LEVELS:
        raise ValueError(f"the computer has no level {level}")
    return Player("", f"Computer (level {level})", level)


def level_named(name: str) -> int:
    """The level of the computer that a list calls `name`; 0 for anybody else. A game itself knows it by the seat."""
    found = COMPUTER_NAME.fullmatch(name)
    return int(found[1]) if found else 0
