"""What pieces look like in a picture: the same shapes and colours that the browser gets, read from the site's build.

A kind of piece that has no drawing is a disc with its letter, as on the page. Knows no board.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from server.pictures.markup import element, words
from server.rules.variant.piece_codes import BLACK, PieceCodes

PARTS = {
    "l": "fill='none' stroke='currentColor' stroke-width='3.6' stroke-linecap='round'",
    "p": "stroke='currentColor' stroke-width='3.2'",
    "m": "fill='currentColor' stroke='none'",
    "s": "fill='currentColor' fill-opacity='.14' stroke='none'",
}
"""The classes of static/pieces/svg.mjs as attributes; currentColor is the outline colour."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece to draw. `letters` are those of its role in a FEN; `marked`: with the mark of a promoted piece."""

    kind: str
    letters: str
    side: int
    marked: bool = False


def piece_of(codes: PieceCodes, code: int) -> Piece | None:
    """The piece to draw for that code; None for the empty square."""
    kind = codes.kinds[code]
    return None if kind is None else Piece(kind.role.name, kind.role.id, code // BLACK, kind.marked)


@dataclass(frozen=True, slots=True)
class PieceColors:
    """Two gradient stops of the fill from left to right, the outline, and the lines on the body."""

    start: str
    end: str
    edge: str
    line: str


@dataclass(frozen=True, slots=True)
class PieceSet:
    """A piece set: the shapes of its style, SVG by kind of piece on a 100 x 100 field, the width of the outline there,
    and the colours of White and Black."""

    shapes: Mapping[str, str]
    outline: float
    sides: tuple[PieceColors, PieceColors]

    def shape(self, piece: Piece) -> str:
        return self.shapes.get(_file_name(piece.kind)) or _token(piece.letters)


@dataclass(frozen=True, slots=True)
class Drawings:
    """`sets`: by name, the default one first."""

    sets: Mapping[str, PieceSet]

    @property
    def usual(self) -> PieceSet:
        return next(iter(self.sets.values()))


def read_drawings(folder: Path) -> Drawings | None:
    """The drawings that `npm run build` wrote to `folder`; None if there are none."""
    shapes, sets = folder / "pieces.json", folder / "piece_sets.json"
    if not (shapes.is_file() and sets.is_file()):
        return None
    styles = {
        style: {kind: _with_attributes(shape) for kind, shape in kinds.items()}
        for style, kinds in json.loads(shapes.read_text(encoding="utf-8")).items()
    }
    return Drawings(
        {name: _piece_set(one, styles) for name, one in json.loads(sets.read_text(encoding="utf-8")).items()}
    )


def _piece_set(one: Mapping[str, Any], styles: Mapping[str, Mapping[str, str]]) -> PieceSet:
    white, black = (
        PieceColors(side["from"], side["to"], side["edge"], side["line"]) for side in (one["white"], one["black"])
    )
    return PieceSet(styles[one["style"]], float(one["outline"]), (white, black))


def _with_attributes(shape: str) -> str:
    return re.sub(r"class='(\w)'", lambda part: PARTS[part[1]], shape)


def _file_name(kind: str) -> str:
    """The file name that static/pieces/board_style.mjs makes from the name of a role."""
    return re.sub(r"\W+", "-", kind.lower(), flags=re.ASCII)


def _token(letters: str) -> str:
    size = 38 if len(letters) > 1 else 48
    text = element(
        "text", words(letters.upper()), x=50, y=66, font_size=size, font_weight=700, text_anchor="middle",
        fill="currentColor", stroke="none",
    )  # fmt: skip
    return element("circle", cx=50, cy=50, r=38) + text


class PieceSymbols:
    """The kinds of piece in a picture, each drawn once: `use` refers to a kind, `definitions` draws all that were used.

    `prefix` keeps the ids of several boards in one picture apart.
    """

    def __init__(self, piece_set: PieceSet, prefix: str = "") -> None:
        self._piece_set = piece_set
        self._prefix = prefix
        self._ids: dict[str, str] = {}

    def use(self, piece: Piece, *inside: str, **attributes: str | float) -> str:
        """The piece, placed by `attributes`; a square is 110 units wide, so it needs no scaling."""
        return element("use", *inside, href=f"#{self.name(piece)}", **attributes)

    def name(self, piece: Piece) -> str:
        """The id of the definition that draws such a piece."""
        return self._ids.setdefault(self._piece_set.shape(piece), f"{self._prefix}k{len(self._ids)}")

    def in_color(self, side: int, pieces: Iterable[str]) -> str:
        """Pieces of one side in its colours."""
        colors = self._piece_set.sides[side]
        return element(
            "g", *pieces, fill=f"url(#{self._prefix}i{side})", stroke=colors.edge, color=colors.line,
            stroke_width=self._piece_set.outline, stroke_linejoin="round",
        )  # fmt: skip

    def definitions(self) -> str:
        """The definitions of all kinds used so far; call it last."""
        gradients = (
            element(
                "linearGradient",
                element("stop", stop_color=colors.start),
                element("stop", offset=1, stop_color=colors.end),
                id=f"{self._prefix}i{side}",
                gradientUnits="userSpaceOnUse",
                x1=20,
                x2=82,
            )
            for side, colors in enumerate(self._piece_set.sides)
        )
        kinds = (element("g", shape, id=name) for shape, name in self._ids.items())
        return element("defs", *gradients, *kinds)
