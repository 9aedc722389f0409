"""The colours of pictures. A picture does not know whether a page is light or dark, so it uses the light theme.

The boards repeat the light values of static/css/game/palettes.css under the names in the appearance dialog (a test
compares them); the colours of the pieces come from the build.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Squares:
    """The colours of one board as in CSS: #rrggbb, and `moved` with opacity, #rrggbbaa."""

    light: str
    dark: str
    text: str
    pocket: str
    moved: str


SAGE = Squares(light="#ece5d3", dark="#8fa89b", text="#26302b", pocket="#d3dbd0", moved="#d9b64a99")
BOARDS: Mapping[str, Squares] = {
    "sage": SAGE,
    "walnut": Squares(light="#f0dcbb", dark="#b88860", text="#3a2413", pocket="#e2cfb1", moved="#c9d04a99"),
    "slate": Squares(light="#e3e8ee", dark="#8a9db3", text="#1f2c3b", pocket="#cfd8e2", moved="#d9b64a99"),
    "plain": Squares(light="#ffffff", dark="#b0b0b0", text="#000000", pocket="#dedede", moved="#d9b64a99"),
}

PAPER = "#f4f2ec"
CARD = "#ffffff"
INK = "#1b201d"
SOFT = "#59605a"
ACCENT = "#17644f"
BADGE = "#15433a"
ON_ACCENT = "#ffffff"
CHECK = "#d9382e"
PROMOTED = "#c9922a"
PROMOTED_EDGE = "#fffdf7"
FONT = "system-ui,-apple-system,Segoe UI,Roboto,Noto Sans,sans-serif"
