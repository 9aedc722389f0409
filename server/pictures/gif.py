"""A whole game as an animated GIF, which is what chat programs show. Made of tiles, so that each is drawn once.

The plan is plain texts and numbers, so that the drawing can be done in another process.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from server.pictures.drawings import Drawings
from server.pictures.layout import View
from server.pictures.replay import Pace
from server.pictures.scene import Scene
from server.pictures.sheet import Sheet
from server.pictures.tiles import COLUMNS, Mosaic, Spot, base_svg, sheet_svg

Paste = tuple[tuple[int, int], Spot]
"""Where a tile lies on the sheet (left, top), and where it goes in the picture; px."""


@dataclass(frozen=True, slots=True)
class GifPlan:
    """`sheet` has every tile, `base` is what lies under them; `frames`: what changes in each, and for how many ms it
    is seen."""

    sheet: Sheet
    base: Sheet
    frames: tuple[tuple[tuple[Paste, ...], int], ...]


def plan_gif(scenes: Sequence[Scene], view: View, drawings: Drawings, pace: Pace) -> GifPlan:
    """The game from its first scene to its last, over and over. A tenth of a millisecond a scene.

    The board is as wide as whole pixels for each square allow within `view.size`.
    """
    mosaic = Mosaic(view, view.size // view.variant.files)
    seen = [mosaic.of(scene) for scene in scenes]
    sheet, corners = sheet_svg(mosaic, (tile for tiles in seen for tile in tiles.values()), drawings)
    shown = [round(1000 * pace.first), *[round(1000 * pace.step)] * (len(scenes) - 1)]
    shown[-1] += round(1000 * pace.last)
    frames = []
    for nth, tiles in enumerate(seen):
        before = seen[nth - 1] if nth else {}
        changed = tuple((corners[tile], spot) for spot, tile in tiles.items() if before.get(spot) != tile)
        frames.append((changed, shown[nth]))
    base = Sheet(base_svg(mosaic, drawings), mosaic.width)
    return GifPlan(Sheet(sheet, COLUMNS * mosaic.square), base, tuple(frames))
