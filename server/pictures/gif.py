"""A whole game as an animated GIF, which is what chat programs show. Made of tiles, so that each is drawn once.

A GIF has one palette: it is chosen once, for the sheet of all tiles, and every frame is pasted in it.
"""

from collections.abc import Sequence
from io import BytesIO

from PIL import Image

from server.pictures.drawings import Drawings
from server.pictures.layout import View
from server.pictures.replay import Pace
from server.pictures.scene import Scene
from server.pictures.tiles import Mosaic, base, sheet

COLORS = 63


def replay_gif(scenes: Sequence[Scene], view: View, drawings: Drawings, pace: Pace | None = None) -> bytes:
    """The game from its first scene to its last, over and over. Some 3 ms a scene: not for the event loop.

    The board is as wide as whole pixels for each square allow within `view.size`.
    """
    pace = pace or Pace()
    mosaic = Mosaic(view, view.size // view.variant.files)
    seen = [mosaic.of(scene) for scene in scenes]
    drawn, corners = sheet(mosaic, (tile for tiles in seen for tile in tiles.values()), drawings)
    under = base(mosaic, drawings)
    both = Image.new("RGB", (max(drawn.width, under.width), drawn.height + under.height))
    both.paste(drawn, (0, 0))
    both.paste(under, (0, drawn.height))
    stock = both.quantize(COLORS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    frame = stock.crop((0, drawn.height, under.width, drawn.height + under.height))
    frames: list[Image.Image] = []
    for nth, tiles in enumerate(seen):
        frame = frame.copy()
        before = seen[nth - 1] if nth else {}
        for spot, tile in tiles.items():
            if before.get(spot) != tile:
                left, top = corners[tile]
                frame.paste(stock.crop((left, top, left + spot[2] - spot[0], top + spot[3] - spot[1])), spot)
        frames.append(frame)
    return _written(frames, pace)


def _written(frames: Sequence[Image.Image], pace: Pace) -> bytes:
    ms = [round(1000 * seconds) for seconds in (pace.first, *[pace.step] * (len(frames) - 1))]
    ms[-1] += round(1000 * pace.last)
    written = BytesIO()
    frames[0].save(
        written, "GIF", save_all=True, append_images=frames[1:], duration=ms, loop=0, disposal=1, optimize=True
    )
    return written.getvalue()
