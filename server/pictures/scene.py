"""What one picture of a game shows, and where: a position, the last move, a check; the board, its pockets and edges.

Lengths are in units of 1/110 of a square, unless said otherwise. Knows no markup.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from server.pictures.theme import BOARDS, USUAL_BOARD, Squares
from server.rules.movegen.legal import in_check
from server.rules.movegen.making import play_trusted
from server.rules.movegen.moves import Drop, Move
from server.rules.movegen.position import Position
from server.rules.notation.uci import parse_uci_trusted
from server.rules.variant.variant import Variant

SQUARE = 110
PIECE = (5, 6)
"""The left and top of a piece's drawing within its square."""
POCKET = 96
PLATE = 88
CHECKS = 48
"""Height of the strip beyond the pocket in which the checks of a side are counted, where a number of them wins."""


@dataclass(frozen=True, slots=True)
class Plate:
    """What is written at one side's edge of the board: a name on the left, a clock or a score on the right."""

    name: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """How a board is shown. `size`: width of the board in px. `plates`: White's and Black's, or None.

    `piece_set` names a piece set, "" the default one. `title` is for screen readers.
    """

    variant: Variant
    flipped: bool = False
    size: int = 480
    coordinates: bool = True
    plates: tuple[Plate, Plate] | None = None
    squares: Squares = BOARDS[USUAL_BOARD]
    piece_set: str = ""
    title: str = ""

    @property
    def near(self) -> int:
        """The side at the bottom."""
        return 1 if self.flipped else 0

    @property
    def margin(self) -> int:
        """Height of the space above the board, and of that below it."""
        counted = CHECKS if self.variant.endings.checks else 0
        return (PLATE if self.plates else 0) + counted + (POCKET if self.variant.pocket else 0)

    @property
    def width(self) -> int:
        return self.variant.files * SQUARE

    @property
    def board_height(self) -> int:
        """Without what lies above and below it, in the units of the drawing."""
        return self.variant.ranks * SQUARE

    @property
    def height(self) -> int:
        """Of all that is drawn, in the units of the drawing."""
        return self.board_height + 2 * self.margin

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height of the whole picture."""
        return self.size, round(self.size * self.height / self.width)

    def corner(self, square: int) -> tuple[int, int]:
        """The left and top of a square."""
        file, rank = self.variant.geometry.file(square), self.variant.geometry.rank(square)
        column = self.variant.files - 1 - file if self.flipped else file
        row = rank if self.flipped else self.variant.ranks - 1 - rank
        return column * SQUARE, self.margin + row * SQUARE

    def pocket_top(self, side: int) -> int:
        """The top of a side's pocket, which touches that side's edge of the board."""
        return self.margin + self.board_height if side == self.near else self.margin - POCKET

    def checks_top(self, side: int) -> int:
        """The top of the strip with the checks of a side."""
        pocket = POCKET if self.variant.pocket else 0
        return self.margin + self.board_height + pocket if side == self.near else self.margin - pocket - CHECKS

    def plate_top(self, side: int) -> int:
        """The top of a side's plate, with the name of its player."""
        return self.height - PLATE if side == self.near else 0

    @property
    def cell(self) -> float:
        """Width of a slot in a pocket: all kinds that it can hold fit into one row."""
        kinds = len(self.variant.pocket.order) if self.variant.pocket else 1
        return min(float(POCKET), self.width / kinds)


@dataclass(frozen=True, slots=True)
class Scene:
    """`move`: the last one, None before the first. `moved`: the squares to highlight for it."""

    position: Position
    moved: tuple[int, ...] = ()
    move: Move | None = None

    @property
    def left(self) -> int | None:
        """The square that the last move left, None for a drop and before the first move."""
        return self.moved[0] if len(self.moved) > 1 else None

    @property
    def reached(self) -> int | None:
        """The square that the last move reached, None before the first."""
        return self.moved[-1] if self.moved else None

    @property
    def check(self) -> int | None:
        """The square of the king in check, None if there is no check."""
        return self.position.kings[self.position.side] if in_check(self.position) else None


def scene_after(position: Position, move: Move) -> Scene:
    """The scene after `move`, which must be legal in `position`."""
    moved = (move.target,) if isinstance(move, Drop) else (move.origin, move.target)
    return Scene(play_trusted(position, move), moved, move)


def scenes(start: Position, ucis: Iterable[str]) -> Iterator[Scene]:
    """Yields the start and the scene after each half-move of a game whose moves are known to be legal."""
    yield Scene(start)
    for uci in ucis:
        seen = scene_after(start, parse_uci_trusted(start, uci))
        yield seen
        start = seen.position
