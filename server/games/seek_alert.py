"""A seek alert: somebody asks to be notified when an opponent waits for a game that they would play.

Says which seeks it matches; sends and stores nothing.
"""

from dataclasses import dataclass
from typing import Final

from server.games.speed import Speed

MAX_ALERTS: Final = 5
"""Of one person. One of them can name several variants."""
MAX_VARIANTS: Final = 14
"""Who would play more than so many says that they would play any."""


@dataclass(frozen=True, slots=True)
class SeekAlert:
    """`variants`: ids of those that the owner would play, `speeds`: how fast; none: any.

    `registered`: may they play rated games? It stands until `until`, ms since the epoch.
    """

    id: str
    owner: str
    registered: bool
    variants: tuple[str, ...]
    speeds: tuple[Speed, ...]
    until: int
