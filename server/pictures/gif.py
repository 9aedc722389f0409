"""Plans a whole game as an animated GIF, which chat programs show.

It consists of tiles, each of which is drawn once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from server.pictures.drawings import Drawings
from server.pictures.layout import Plate, View
from server.pictures.png_plan import PngPlan
from server.pictures.replay import Pace
from server.pictures.scene import Scene
from server.pictures.tiles import COLUMNS, Mosaic, Spot, Tile, base_svg, sheet_svg

Paste = tuple[tuple[int, int], Spot]
"""Where a tile is on the sheet (left, top), and where it goes in the picture; px."""


@dataclass(frozen=True, slots=True)
class GifPlan:
    """`sheet` has every tile, `base` is the picture under them, `end` the same with the result, which only the last
    frame shows; `frames`: what changes in each, and for how many ms it is shown."""

    sheet: PngPlan
    base: PngPlan
    end: PngPlan
    frames: tuple[tuple[tuple[Paste, ...], int], ...]


def plan_gif(scenes: Sequence[Scene], view: View, drawings: Drawings, pace: Pace) -> GifPlan:
    """The game from its first scene to its last, in a loop. Takes a tenth of a millisecond per scene.

    The board is as wide as it can be within `view.size` with a whole number of pixels per square. Of each scene only
    what changes is kept.
    """
    mosaic = Mosaic(view, view.size // view.variant.files)
    numbers: dict[Tile, int] = {}
    frames: list[tuple[tuple[Paste, ...], int]] = []
    before: dict[Spot, Tile] = {}
    for nth, scene in enumerate(scenes):
        tiles = mosaic.of(scene)
        changed = [(tile, spot) for spot, tile in tiles.items() if before.get(spot) != tile]
        pastes = tuple((mosaic.corner(numbers.setdefault(tile, len(numbers))), spot) for tile, spot in changed)
        seconds = (pace.step if nth else pace.first) + (pace.last if nth == len(scenes) - 1 else 0)
        frames.append((pastes, round(1000 * seconds)))
        before = tiles
    unnamed = replace(mosaic, view=replace(view, plates=_without_result(view.plates)))
    base, end = (PngPlan(base_svg(one, drawings), mosaic.width) for one in (unnamed, mosaic))
    return GifPlan(PngPlan(sheet_svg(mosaic, numbers, drawings), COLUMNS * mosaic.square), base, end, tuple(frames))


def _without_result(plates: tuple[Plate, Plate] | None) -> tuple[Plate, Plate] | None:
    return plates and (Plate(plates[0].name), Plate(plates[1].name))
