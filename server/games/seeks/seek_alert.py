"""A seek alert: the request to be notified when somebody seeks a game that one would play."""

from dataclasses import dataclass
from typing import Final

from server.games.clocks.speed import Speed

MAX_ALERTS: Final = 5
"""Per person. One alert can name several variants."""
MAX_VARIANTS: Final = 14
"""More than this many variants count as any variant."""


@dataclass(frozen=True, slots=True)
class SeekAlert:
    """`variants` (ids) and `speeds` that the owner would play; empty: any.

    `registered`: may they play rated games? `until`: when the alert ends, ms since the epoch.
    """

    id: str
    owner: str
    registered: bool
    variants: tuple[str, ...]
    speeds: tuple[Speed, ...]
    until: int

    def is_for_same_games(self, other: "SeekAlert") -> bool:
        """Are both alerts for the same seeks?"""
        return set(self.variants) == set(other.variants) and set(self.speeds) == set(other.speeds)
