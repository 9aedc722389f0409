"""SVG as text: elements, attributes, escaped text from people, and how wide that will be. Knows no chess.

It writes only presentation attributes, no style element and no class, so that a picture looks the same under the
site's Content-Security-Policy, in a chat program and in the renderer. Widths are estimates, good enough to make a text
fit: viewers' fonts differ and cannot be measured here.
"""

import re
from dataclasses import dataclass
from html import escape

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def words(text: str) -> str:
    """Text from people as XML 1.0 text, never markup, without the characters that XML does not allow."""
    return escape(_NOT_XML.sub("", text), quote=True)


def element(name: str, *content: str, **attributes: str | float) -> str:
    """An element. `content` and `attributes` are markup already; `stroke_width` becomes stroke-width."""
    written = "".join(
        f' {key.replace("_", "-")}="{number(value) if isinstance(value, int | float) else value}"'
        for key, value in attributes.items()
    )
    inside = "".join(content)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def number(value: float) -> str:
    """A number with at most two decimals, as short as possible: 12.50 -> 12.5."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def paint(color: str) -> dict[str, str]:
    """The attributes that fill with a CSS colour; opacity (#rrggbbaa) is written separately for older viewers."""
    if len(color) == 9:
        return {"fill": color[:7], "fill_opacity": number(int(color[7:], 16) / 255)}
    return {"fill": color}


@dataclass(frozen=True, slots=True)
class PngPlan:
    """An SVG document, and how many px wide to draw it."""

    svg: str
    width: int


NARROW, WIDE = frozenset("iljtfrI1.,:;'|!-() "), frozenset("mwMW@%")
USUAL_WIDTH = 0.51
"""The average width of a letter, as a fraction of the font size."""


def width_of(text: str) -> float:
    """An upper bound for most sans-serif fonts, as a multiple of the font size."""
    return sum(_width(letter) for letter in text)


def fitting(text: str, size: float, room: float) -> float:
    """The largest font size, at most `size`, at which the text fits into `room`."""
    return min(size, room / max(0.5, width_of(text)))


def _width(letter: str) -> float:
    if letter in NARROW:
        return 0.36
    if letter in WIDE:
        return 0.98
    if letter > "\u2e7f":
        return 1.0
    return 0.74 if letter.isupper() else 0.6
