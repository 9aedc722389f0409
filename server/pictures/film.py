"""A whole game to draw, as plain values, so that the process that renders does all the work: a game of 5,000
half-moves takes most of a second, in which no thread of the server could be without every move waiting for it.
"""

from dataclasses import dataclass
from typing import Literal

from server.pictures.drawings import Drawings
from server.pictures.layout import View
from server.pictures.replay import Pace
from server.pictures.scene import Scene, scenes
from server.rules.movegen.position import Position


@dataclass(frozen=True, slots=True)
class Film:
    """The game of `ucis`, which are known to be legal, from `start` on."""

    format: Literal["svg", "gif"]
    start: Position
    ucis: tuple[str, ...]
    view: View
    drawings: Drawings
    pace: Pace

    def scenes(self) -> list[Scene]:
        return list(scenes(self.start, self.ucis))
