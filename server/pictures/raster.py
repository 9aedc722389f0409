"""Renders SVG as PNG. The only module that knows resvg, and the only one that needs a font.

Text is drawn in the font that comes with Pillow (Aileron, ASCII), so that a picture looks the same on every machine,
even if no font is installed; for other letters the machine's fonts are used too, if it has any.
"""

import tempfile
from functools import cache

import resvg_py
from PIL import ImageFont

from server.pictures.png_plan import PngPlan


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
