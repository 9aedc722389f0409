"""Of which games the host wants puzzles, and how deep to search. Does not know how they are made."""

from dataclasses import dataclass
from typing import Final

NODES: Final = 40_000
"""For each position of a puzzle; four times as many verify it. A game takes some seconds."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Of which games to make puzzles. `limit`: how many to make at most; 0: as many as there are."""

    variant: str = ""
    limit: int = 0
    nodes: int = NODES
    imported: bool = False
    suspicious: bool = False
    again: bool = False
    """Search games that were searched before, too."""
