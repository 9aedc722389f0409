"""A diagram: a position with marked squares, and the legal moves that prove each mark.

Other modules compose diagrams; the pages draw them as images or text.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from server.rules.movegen.position import Position
from server.rules.notation.fen import parse_fen
from server.rules.variant.piece_codes import BLACK
from server.rules.variant.variant import Variant


class Use(StrEnum):
    """What a mark says about its square."""

    BOTH = "both"
    """The piece may move or capture there."""
    MOVE = "move"
    """It may move there but not capture."""
    CAPTURE = "capture"
    """It may only capture there."""
    REACHED = "reached"
    """An empty square that the piece can reach in this position."""
    TAKEN = "taken"
    """A square where it can capture in this position."""
    DROP = "drop"
    """A piece may be dropped there."""
    GATE = "gate"
    """A piece may be gated there when the piece on it moves away."""
    PROMOTES = "promotes"
    """A piece that arrives there may promote."""
    MUST_PROMOTE = "must-promote"
    """A piece that arrives there must promote."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A legal move and its position."""

    fen: str
    uci: str
    chess960: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """One marked square."""

    square: int
    use: Use
    proofs: tuple[Proof, ...]
    """Not empty. For BOTH: a plain move, then a capture."""
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
    """A board with marks."""

    variant: Variant
    fen: str
    """A legal position, of which the pieces on `hidden` are not drawn."""
    chess960: bool = False
    square: int | None = None
    """The square of the piece that the diagram is about."""
    marks: tuple[Mark, ...] = ()
    moved: tuple[int, ...] = ()
    """Squares of the move that led here."""
    hidden: frozenset[int] = frozenset()
    """Squares of pieces, such as kings, that are there only to make the position legal."""
    becomes: tuple[PlacedPiece, ...] = ()
    """Pieces drawn pale: what a pawn that arrives there becomes."""

    @property
    def position(self) -> Position:
        """Parsed anew each time. Raises InvalidFen."""
        return parse_fen(self.variant, self.fen, self.chess960)

    def pieces(self) -> Iterator[PlacedPiece]:
        """The pieces that are drawn, by square."""
        position = self.position
        for square, code in enumerate(position.board):
            kind = position.tables.codes.kinds[code]
            if kind is not None and square not in self.hidden:
                yield PlacedPiece(square, kind.role.id, code < BLACK)
