"""From SVG to PNG. The only file that knows resvg, and the only one that asks for a font.

Texts are drawn in the font that Pillow carries (Aileron, ASCII), so that a picture is the same on every machine, also
where no font is installed; a picture with other letters is given the machine's fonts too, if it has any.
"""

import tempfile
from functools import cache
from io import BytesIO
from pathlib import Path

import resvg_py
from PIL import Image, ImageFont


@cache
def _font() -> tuple[str, str]:
    """Pillow's own font as a file, which is how the renderer takes it, and its name; written once for each process."""
    font = ImageFont.load_default(12)
    assert isinstance(font, ImageFont.FreeTypeFont), "every wheel of Pillow has FreeType"
    with tempfile.NamedTemporaryFile(prefix="fairyhouse-", suffix=".ttf", delete=False) as file:
        file.write(font.font_bytes)
    return str(Path(file.name)), str(font.getname()[0])


def png(svg: str, width: int) -> bytes:
    """The document as a PNG, `width` px wide. Takes some 10 to 60 ms: not for the event loop."""
    file, family = _font()
    return resvg_py.svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=svg.isascii(),
        font_files=[file],
        font_family=family,
        sans_serif_family=family,
        serif_family=family,
    )


def pixels(svg: str, width: int) -> Image.Image:
    """The same as pixels without transparency."""
    return Image.open(BytesIO(png(svg, width))).convert("RGB")
