"""The colours of pictures. A picture does not know whether a page is light or dark, so it uses the light theme.

boards.json is the only list of boards: from it come these, the style sheet of the pages (static/pieces/boards.mjs) and
the choice among them. The marks repeat those of static/css/game/marks.css (a test compares them); the colours of the
pieces come from the build.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Squares:
    """The colours of one board as in CSS: #rrggbb."""

    light: str
    dark: str
    pocket: str


def _boards() -> Mapping[str, Squares]:
    colors = json.loads(Path(__file__).with_name("boards.json").read_text(encoding="utf-8"))
    return {name: Squares(**board) for name, board in colors.items()}


PieceSetName = Literal["carved", "paper", "plain"]
"""Those of static/pieces/piece_sets.mjs."""
USUAL_SET: Final = "carved"
BOARDS: Final = _boards()
"""By name, the default one first."""
USUAL_BOARD: Final = next(iter(BOARDS))

COORDINATES = "#04120c"
MARK = "#0d3329"
MOVED = "#ecca3c6b"
"""The tint of both squares of the last move, with opacity: #rrggbbaa."""
CHECK = "#d63a2c"
CHECK_EDGE = "#5a060b"

PAPER = "#f4f2ec"
CARD = "#ffffff"
INK = "#1b201d"
SOFT = "#59605a"
ACCENT = "#17644f"
BADGE = "#15433a"
ON_ACCENT = "#ffffff"
PROMOTED = "#f0b429"
"""The dot on a piece that turns back into a pawn; its edge, in the colour of the marks, shows on white pieces."""
FONT = "system-ui,-apple-system,Segoe UI,Roboto,Noto Sans,sans-serif"
