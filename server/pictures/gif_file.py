"""From the plan of a GIF to the file. The only file that knows Pillow's images.

A GIF has one palette: it is chosen once, for the sheet of all tiles, and every frame is pasted in it.
"""

from io import BytesIO

from PIL import Image

from server.pictures.gif import GifPlan
from server.pictures.raster import png
from server.pictures.sheet import Sheet

COLORS = 63


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
