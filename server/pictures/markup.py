"""SVG as text: elements, attributes, and words of people made harmless. Knows no chess.

Only presentation attributes are written, no style element and no class: then a picture looks the same under the
site's Content-Security-Policy, in a chat program and in the renderer.
"""

import re
from html import escape

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def words(text: str) -> str:
    """Text from people as text of XML 1.0, never markup; characters that XML cannot hold are left out."""
    return escape(_NOT_XML.sub("", text), quote=True)


def element(name: str, *content: str, **attributes: str | float) -> str:
    """`content` and `attributes` are markup already; `stroke_width` is written stroke-width."""
    written = "".join(
        f' {key.replace("_", "-")}="{number(value) if isinstance(value, int | float) else value}"'
        for key, value in attributes.items()
    )
    inside = "".join(content)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def number(value: float) -> str:
    """As short as it can be with two decimals: 12.50 -> 12.5."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def paint(color: str) -> dict[str, str]:
    """The attributes that fill with a colour of CSS; an opacity (#rrggbbaa) stands apart, as older readers need it."""
    if len(color) == 9:
        return {"fill": color[:7], "fill_opacity": number(int(color[7:], 16) / 255)}
    return {"fill": color}
