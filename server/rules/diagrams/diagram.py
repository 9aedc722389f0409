"""What a diagram is: a position, the marks on it, and for every mark the legal moves that prove it.

Knows no movement and no drawing: other modules make diagrams, the pages draw them as pictures or as text.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from server.rules.movegen.position import Position
from server.rules.notation.fen import parse_fen
from server.rules.variant.piece_codes import BLACK
from server.rules.variant.variant import Variant


class Use(StrEnum):
    """What the mark on a square says of it."""

    BOTH = "both"
    """The piece may go there, and may capture there."""
    MOVE = "move"
    """It may go there, never capture."""
    CAPTURE = "capture"
    """It may capture there, never just go."""
    REACHED = "reached"
    """An empty square that the piece reaches in just this position."""
    TAKEN = "taken"
    """A square where it captures in just this position."""
    DROP = "drop"
    """A piece in the pocket may be put there."""
    GATE = "gate"
    """A piece in the pocket may appear there when the one that stands there leaves."""
    PROMOTES = "promotes"
    """Arriving there, a piece may promote."""
    MUST_PROMOTE = "must-promote"
    """Arriving there, it has to."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A move that is legal in a position."""

    fen: str
    uci: str
    chess960: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """One marked square."""

    square: int
    use: Use
    proofs: tuple[Proof, ...]
    """Not empty. For BOTH first the plain move, then a capture."""
    first: bool = False
    """Only as a first move."""


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece on a square of a diagram."""

    square: int
    role: str
    """Role id."""
    white: bool


@dataclass(frozen=True, slots=True)
class Diagram:
    """A board to look at."""

    variant: Variant
    fen: str
    """A position that the rules core reads; with `hidden` it is what is drawn."""
    chess960: bool = False
    square: int | None = None
    """Where the piece stands that the diagram is about."""
    marks: tuple[Mark, ...] = ()
    moved: tuple[int, ...] = ()
    """Squares of the move that led here."""
    hidden: frozenset[int] = frozenset()
    """Squares whose piece is there only because a position needs it, as the kings; it is not drawn."""
    becomes: tuple[PlacedPiece, ...] = ()
    """Pieces drawn pale: what a pawn that arrives there turns into."""

    @property
    def position(self) -> Position:
        return parse_fen(self.variant, self.fen, self.chess960)

    def pieces(self) -> Iterator[PlacedPiece]:
        """The pieces that are drawn, by square."""
        position = self.position
        for square, code in enumerate(position.board):
            kind = position.tables.codes.kinds[code]
            if kind is not None and square not in self.hidden:
                yield PlacedPiece(square, kind.role.id, code < BLACK)

    def pockets(self) -> tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]:
        """What White and Black have in the pocket: role ids with their numbers, none with 0."""
        pocket = self.variant.pocket
        order = pocket.order if pocket else ()
        white, black = (
            tuple((role, number) for role, number in zip(order, held, strict=True) if number)
            for held in (self.position.pockets if pocket else (b"", b""))
        )
        return white, black
