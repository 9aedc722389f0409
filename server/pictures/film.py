"""A whole game to draw, described by a few small values, so that the rendering process does all the work.

A game of 5,000 half-moves takes most of a second. In a thread of the server, every move would have to wait for it.
"""

from dataclasses import dataclass
from typing import Literal

from server.pictures.drawings import Drawings
from server.pictures.layout import View
from server.pictures.replay import Pace
from server.pictures.scene import Scene, scenes
from server.rules.notation.fen import parse_fen


@dataclass(frozen=True, slots=True)
class Film:
    """The game of the view's variant that begins with `start_fen` and has the moves `ucis`, known to be legal."""

    format: Literal["svg", "gif"]
    start_fen: str
    chess960: bool
    ucis: str
    view: View
    drawings: Drawings
    pace: Pace

    def scenes(self) -> list[Scene]:
        """The start, then the position after each move."""
        start = parse_fen(self.view.variant, self.start_fen, self.chess960)
        return list(scenes(start, self.ucis.split()))
