"""A whole game as an animated GIF, which is what chat programs show. Made of tiles, so that each is drawn once.

A GIF has one palette: it is chosen once, for the sheet of all tiles, and every frame is pasted in it. The plan is plain
texts and numbers, so that the drawing can be done in another process.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

from PIL import Image

from server.pictures.drawings import Drawings
from server.pictures.layout import View
from server.pictures.raster import Sheet, png
from server.pictures.replay import Pace
from server.pictures.scene import Scene
from server.pictures.tiles import COLUMNS, Mosaic, Spot, base_svg, sheet_svg

COLORS = 63

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


def draw_gif(plan: GifPlan) -> bytes:
    """The planned GIF. Some 2 ms of CPU a scene, in one go."""
    sheet, base = _pixels(plan.sheet), _pixels(plan.base)
    both = Image.new("RGB", (max(sheet.width, base.width), sheet.height + base.height))
    both.paste(sheet, (0, 0))
    both.paste(base, (0, sheet.height))
    stock = both.quantize(COLORS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    frame = stock.crop((0, sheet.height, base.width, sheet.height + base.height))
    frames: list[Image.Image] = []
    for pastes, _ in plan.frames:
        frame = frame.copy()
        for (x, y), (left, top, right, bottom) in pastes:
            frame.paste(stock.crop((x, y, x + right - left, y + bottom - top)), (left, top))
        frames.append(frame)
    written = BytesIO()
    frames[0].save(
        written, "GIF", save_all=True, append_images=frames[1:], duration=[ms for _, ms in plan.frames], loop=0,
        disposal=1, optimize=True,
    )  # fmt: skip
    return written.getvalue()


def _pixels(sheet: Sheet) -> Image.Image:
    return Image.open(BytesIO(png(sheet))).convert("RGB")
