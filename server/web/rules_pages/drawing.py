"""How a diagram is drawn, in tenths of a square, and what its marks mean, in pictures and on boards of letters.

Knows no colours.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from server.rules.diagrams.diagram import Diagram, Mark, PlacedPiece, Use
from server.rules.variant.pieces import Role
from server.rules.variant.variant import FILE_LETTERS, Variant
from server.web.rules_pages.page import Say

UNIT = 10
"""The side of a square."""
EDGE = 5
"""The width of the edges with the letters of the files and the numbers of the ranks."""


@dataclass(frozen=True, slots=True)
class Place:
    """The upper left corner of a square."""

    x: int
    y: int
    name: str
    """Of the square."""


@dataclass(frozen=True, slots=True)
class DrawnPiece:
    place: Place
    kind: str
    """The role's English name, which is also that of its drawing."""
    letters: str
    """As in a FEN, for a piece without a drawing."""
    white: bool
    pale: bool = False
    promoted: bool = False
    """Whether this is the promoted side of a piece that has two."""


@dataclass(frozen=True, slots=True)
class DrawnMark:
    place: Place
    use: str
    first: bool
    proofs: str
    """The moves that prove it, in UCI, separated by spaces; tests read them from the page."""
    aside: bool
    """Drawn in the corner of the square, because a pale piece fills it."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """`width` and `height` with the edges; `dark` and `moved` are squares to fill."""

    width: int
    height: int
    dark: tuple[Place, ...]
    moved: tuple[Place, ...]
    chosen: Place | None
    pieces: tuple[DrawnPiece, ...]
    marks: tuple[DrawnMark, ...]
    files: tuple[tuple[int, str], ...]
    """How far from the left each letter is drawn, and the letter; likewise the ranks, from the top."""
    ranks: tuple[tuple[int, str], ...]


def draw(diagram: Diagram) -> Drawing:
    """The diagram as shapes in the units of its SVG, seen from White."""
    variant = diagram.variant
    geometry = variant.geometry
    filled = {piece.square for piece in diagram.becomes}
    marks = tuple(_mark(variant, mark, mark.square in filled) for mark in diagram.marks)
    return Drawing(
        width=variant.files * UNIT + EDGE,
        height=variant.ranks * UNIT + EDGE,
        dark=tuple(_place(variant, square) for square in range(geometry.size) if geometry.is_dark(square)),
        moved=tuple(_place(variant, square) for square in diagram.moved),
        chosen=None if diagram.square is None else _place(variant, diagram.square),
        pieces=(
            *(_piece(variant, piece) for piece in diagram.pieces()),
            *(_piece(variant, piece, pale=True) for piece in diagram.becomes),
        ),
        marks=marks,
        files=tuple((EDGE + UNIT * file + UNIT // 2, FILE_LETTERS[file]) for file in range(variant.files)),
        ranks=tuple((UNIT * nth + UNIT // 2, str(variant.ranks - nth)) for nth in range(variant.ranks)),
    )


def _place(variant: Variant, square: int) -> Place:
    geometry = variant.geometry
    x, y = geometry.file(square), variant.ranks - 1 - geometry.rank(square)
    return Place(EDGE + UNIT * x, UNIT * y, geometry.names[square])


def _mark(variant: Variant, mark: Mark, aside: bool) -> DrawnMark:
    proofs = " ".join(proof.uci for proof in mark.proofs)
    return DrawnMark(_place(variant, mark.square), mark.use.value, mark.first, proofs, aside)


def _piece(variant: Variant, piece: PlacedPiece, pale: bool = False) -> DrawnPiece:
    role = variant.role(piece.role)
    letters = role.id.upper() if piece.white else role.id
    return DrawnPiece(_place(variant, piece.square), role.name, letters, piece.white, pale, promoted=role.id[0] == "+")


WORDS = {use: f"rules.mark_{use.name.lower()}" for use in Use}
TYPED = {
    Use.BOTH: "*",
    Use.MOVE: "o",
    Use.CAPTURE: "x",
    Use.REACHED: "*",
    Use.TAKEN: "x",
    Use.DROP: "@",
    Use.GATE: "/",
    Use.PROMOTES: "^",
    Use.MUST_PROMOTE: "=",
}
"""On boards of letters."""
DRAWN = {Use.DROP: "■", Use.GATE: "▢", Use.PROMOTES: "△", Use.MUST_PROMOTE: "▲"}
"""Below pictures, for marks that the legend of the pieces does not explain."""


FIRST_WORDS = ("rules.mark_first", "rules.mark_rank")


def first_word(role: Role) -> str:
    """What a mark for a first move means: a pawn that is dropped behind the rank where it has that move keeps it."""
    return "rules.mark_rank" if role.initial_ranks else "rules.mark_first"


def _first_word(diagram: Diagram) -> str:
    [piece] = [piece for piece in diagram.pieces() if piece.square == diagram.square]
    return first_word(diagram.variant.role(piece.role))


def typed_legend(diagram: Diagram, say: Say) -> str:
    """The marks on a board of letters; "" when there are none."""
    parts = [f"{TYPED[use]} {say(WORDS[use])}" for use in _uses(diagram)]
    if any(mark.first for mark in diagram.marks):
        parts.append(f"! {say(_first_word(diagram))}")
    return ", ".join(parts)


def drawn_legend(diagram: Diagram, say: Say) -> str:
    """The marks in a picture; "" if they need no words."""
    return ", ".join(f"{DRAWN[use]} {say(WORDS[use])}" for use in _uses(diagram) if use in DRAWN)


def spoken_legend(diagram: Diagram, say: Say) -> str:
    """The marked squares in words, for screen readers; "" if there are none."""
    names = diagram.variant.geometry.names
    parts = []
    for use in _uses(diagram):
        squares = [
            names[mark.square] + (f" ({say(_first_word(diagram))})" if mark.first else "")
            for mark in diagram.marks
            if mark.use is use
        ]
        parts.append(f"{say(WORDS[use])}: {', '.join(squares)}")
    return "; ".join(parts)


def _uses(diagram: Diagram) -> Iterator[Use]:
    return iter(dict.fromkeys(mark.use for mark in diagram.marks))
