"""From SVG to PNG. The only file that knows resvg, and the only one that asks for a font.

Texts are drawn in the font that Pillow carries (Aileron, ASCII), so that a picture is the same on every machine, also
where no font is installed; a picture with other letters is given the machine's fonts too, if it has any.
"""

import tempfile
from functools import cache

import resvg_py
from PIL import ImageFont

from server.pictures.png_plan import PngPlan


@cache
def _font() -> tuple[str, str]:
    """Pillow's own font as a file, which is how the renderer takes it, and its name; written once for each process."""
    font = ImageFont.load_default(12)
    assert isinstance(font, ImageFont.FreeTypeFont), "every wheel of Pillow has FreeType"
    with tempfile.NamedTemporaryFile(prefix="fairyhouse-", suffix=".ttf", delete=False) as file:
        file.write(font.font_bytes)
    return file.name, str(font.getname()[0])


def png(sheet: PngPlan) -> bytes:
    """The sheet as a PNG. Takes 10 to 100 ms, in which no other thread runs: for another process."""
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
