"""Where everything lies in a picture of a board, in units of which a square has 110. Knows no markup and no pieces."""

from dataclasses import dataclass

from server.pictures.theme import SAGE, Squares
from server.rules.variant.variant import Variant

SQUARE = 110
PIECE = (5, 6)
"""Where the field of a piece's drawing begins in its square."""
POCKET = 96
PLATE = 88


@dataclass(frozen=True, slots=True)
class Plate:
    """What is written beside one side's end of the board: a name, and at the other end a clock or a score."""

    name: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """How a board is looked at. `size`: width of the board in px. `plates`: White's and Black's, None without.

    `piece_set` names one of the sets of pieces, "" the usual one. `title` is what a screen reader says.
    """

    variant: Variant
    flipped: bool = False
    size: int = 480
    coordinates: bool = True
    plates: tuple[Plate, Plate] | None = None
    squares: Squares = SAGE
    piece_set: str = ""
    title: str = ""

    @property
    def near(self) -> int:
        """The side at the bottom."""
        return 1 if self.flipped else 0

    @property
    def margin(self) -> int:
        """Height of what lies above the board, and again below it."""
        return (PLATE if self.plates else 0) + (POCKET if self.variant.pocket else 0)

    @property
    def width(self) -> int:
        return self.variant.files * SQUARE

    @property
    def board_height(self) -> int:
        return self.variant.ranks * SQUARE

    @property
    def height(self) -> int:
        return self.board_height + 2 * self.margin

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height of the whole picture."""
        return self.size, round(self.size * self.height / self.width)

    def corner(self, square: int) -> tuple[int, int]:
        """Left and top of a square."""
        file, rank = self.variant.geometry.file(square), self.variant.geometry.rank(square)
        column = self.variant.files - 1 - file if self.flipped else file
        row = rank if self.flipped else self.variant.ranks - 1 - rank
        return column * SQUARE, self.margin + row * SQUARE

    def pocket_top(self, side: int) -> int:
        """The pocket of a side touches its end of the board."""
        return self.margin + self.board_height if side == self.near else self.margin - POCKET

    def plate_top(self, side: int) -> int:
        return self.height - PLATE if side == self.near else 0

    @property
    def cell(self) -> float:
        """Width of a place in a pocket: all kinds that it may hold fit into one row."""
        kinds = len(self.variant.pocket.order) if self.variant.pocket else 1
        return min(float(POCKET), self.width / kinds)
