"""Renders SVG as PNG, and draws a planned GIF. The only module that knows resvg and Pillow's images, and needs a font.

Text is drawn in the font that comes with Pillow (Aileron, ASCII), so that a picture looks the same on every machine,
even if no font is installed; for other letters the machine's fonts are used too, if it has any.

A GIF has one palette: it is chosen once, for the sheet of all tiles, and used for every frame. A frame holds the
rectangle that changes, and in it only the tiles that do; it is written before the next one is made, so that a long game
takes no more memory than a short one.
"""

import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from io import BytesIO

import resvg_py
from PIL import GifImagePlugin, Image, ImageChops, ImageFont

from server.pictures.gif import GifPlan
from server.pictures.markup import PngPlan


@cache
def _font() -> tuple[str, str]:
    """The path of Pillow's font, written to a file once per process as the renderer needs it, and the font's name."""
    font = ImageFont.load_default(12)
    assert isinstance(font, ImageFont.FreeTypeFont), "every wheel of Pillow has FreeType"
    with tempfile.NamedTemporaryFile(prefix="fairyhouse-", suffix=".ttf", delete=False) as file:
        file.write(font.font_bytes)
    return file.name, str(font.getname()[0])


def png(sheet: PngPlan) -> bytes:
    """The sheet as a PNG. Takes 10 to 100 ms in which no other thread runs, so call it in another process."""
    file, family = _font()
    return resvg_py.svg_to_bytes(
        svg_string=sheet.svg,
        width=sheet.width,
        skip_system_fonts=sheet.svg.isascii(),
        font_files=[file],
        font_family=family,
        sans_serif_family=family,
        serif_family=family,
    )


COLORS = 63
CLEAR = COLORS
"""The palette index that leaves a pixel as it was."""


def draw_gif(plan: GifPlan) -> bytes:
    """The planned GIF as bytes. Takes some 2 ms of CPU per scene, without a pause."""
    return b"".join(_parts(plan))


def _parts(plan: GifPlan) -> Iterator[bytes]:
    sheet, base, end = (_pixels(one) for one in (plan.sheet, plan.base, plan.end))
    stock = _in_one_palette((sheet, base, end))
    under, result = (
        stock.crop((0, top, base.width, top + base.height)) for top in (sheet.height, sheet.height + base.height)
    )
    last = len(plan.frames) - 1
    yield from GifImagePlugin.getheader(under.copy(), info={"loop": 0, "optimize": False})[0]
    for nth, (pastes, ms) in enumerate(plan.frames):
        frame = under if nth == 0 else Image.new("P", under.size, CLEAR)
        if nth == last:
            frame.paste(result, mask=_difference(under, result))
        for (x, y), (left, top, right, bottom) in pastes:
            frame.paste(stock.crop((x, y, x + right - left, y + bottom - top)), (left, top))
        box = _changed(frame)
        yield from GifImagePlugin.getdata(
            frame.crop(box), offset=box[:2], duration=ms, disposal=1, transparency=CLEAR, optimize=False
        )
    yield b";"


def _in_one_palette(images: Sequence[Image.Image]) -> Image.Image:
    """The images, one below the other."""
    both = Image.new("RGB", (max(one.width for one in images), sum(one.height for one in images)))
    top = 0
    for one in images:
        both.paste(one, (0, top))
        top += one.height
    return both.quantize(COLORS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


def _difference(one: Image.Image, other: Image.Image) -> Image.Image:
    """An image that is white where two images with the same palette differ."""
    plain = [Image.frombytes("L", image.size, image.tobytes()) for image in (one, other)]
    return ImageChops.difference(*plain).point(lambda distance: 255 if distance else 0)


def _changed(frame: Image.Image) -> tuple[int, int, int, int]:
    """The rectangle that is not clear, one pixel if everything is."""
    seen = Image.frombytes("L", frame.size, frame.tobytes()).point(lambda number: 0 if number == CLEAR else 255)
    return seen.getbbox() or (0, 0, 1, 1)


def _pixels(sheet: PngPlan) -> Image.Image:
    return Image.open(BytesIO(png(sheet))).convert("RGB")
