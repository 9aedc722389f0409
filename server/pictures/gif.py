"""Plans a whole game as an animated GIF, which chat programs show, from a mosaic of tiles. Knows no pixels.

There is one tile for every square and every slot of a pocket. A game shows the same few tiles again and again: all that
a replay needs are drawn at once on one sheet, which makes a GIF cheap.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from server.pictures.board import (
    CHECK_CELL,
    SMALL_STAR,
    background,
    badge,
    document,
    left_mark,
    piece_set_of,
    plates,
    pocket_background,
    pocket_piece,
    promoted_mark,
    reached_mark,
    small_star,
    star,
)
from server.pictures.drawings import Drawings, Piece, PieceSymbols, piece_of
from server.pictures.markup import PngPlan, element
from server.pictures.replay import Pace
from server.pictures.scene import CHECKS, PIECE, POCKET, SQUARE, Plate, Scene, View
from server.pictures.theme import FONT, PAPER
from server.rules.variant.piece_codes import SIDES

COLUMNS = 16


@dataclass(frozen=True, slots=True)
class SquareTile:
    piece: Piece | None
    dark: bool
    left: bool
    reached: bool
    check: bool


@dataclass(frozen=True, slots=True)
class PocketTile:
    """The `nth` kind in the pocket of a side, with `count` pieces."""

    side: int
    nth: int
    count: int


@dataclass(frozen=True, slots=True)
class CheckTile:
    """One check of those that win, `given` or not."""

    given: bool


Tile = SquareTile | PocketTile | CheckTile
Spot = tuple[int, int, int, int]
"""Where a tile is in the picture: left, top, right, bottom, px."""


@dataclass(frozen=True, slots=True)
class Mosaic:
    """Where the tiles are when a square is `square` px wide."""

    view: View
    square: int

    @property
    def width(self) -> int:
        """Width of the whole picture, px."""
        return self.square * self.view.variant.files

    @property
    def scale(self) -> float:
        """Pixels for each unit of the drawing."""
        return self.square / SQUARE

    def corner(self, number: int) -> tuple[int, int]:
        """The left and top of the tile with that number on the sheet, px."""
        return number % COLUMNS * self.square, number // COLUMNS * self.square

    def tiles(self, scene: Scene) -> Iterator[tuple[Spot, Tile]]:
        """Where each tile of the scene is, and the tile."""
        codes, geometry = scene.position.tables.codes, self.view.variant.geometry
        for square, code in enumerate(scene.position.board):
            yield (
                self._spot_of_square(square),
                SquareTile(
                    piece_of(codes, code),
                    geometry.is_dark(square),
                    left=square == scene.left,
                    reached=square == scene.reached,
                    check=square == scene.check,
                ),
            )
        for side in SIDES if self.view.variant.pocket else ():
            for nth, count in enumerate(scene.position.pockets[side]):
                yield self._spot_in_pocket(side, nth), PocketTile(side, nth, count)
        most = self.view.variant.endings.checks
        for side in SIDES:
            for nth in range(most):
                yield self._spot_of_check(side, nth), CheckTile(nth < most - scene.position.to_check[side])

    def _spot_of_square(self, square: int) -> Spot:
        x, y = self.view.corner(square)
        left, top = x // SQUARE * self.square, self.board_top + (y - self.view.margin) // SQUARE * self.square
        return left, top, left + self.square, top + self.square

    @property
    def board_top(self) -> int:
        """Where the board begins, px."""
        return round(self.view.margin * self.scale)

    def _spot_in_pocket(self, side: int, nth: int) -> Spot:
        left, right = (round(place * self.view.cell * self.scale) for place in (nth, nth + 1))
        top = round(self.view.pocket_top(side) * self.scale)
        return left, top, right, top + round(POCKET * self.scale)

    def _spot_of_check(self, side: int, nth: int) -> Spot:
        left, right = (round((4 + place * CHECK_CELL) * self.scale) for place in (nth, nth + 1))
        top = round(self.view.checks_top(side) * self.scale)
        return left, top, right, top + round(CHECKS * self.scale)


def sheet_svg(mosaic: Mosaic, tiles: Iterable[Tile], drawings: Drawings) -> str:
    """One picture with every tile, `COLUMNS` squares wide; `Mosaic.corner` says where each is."""
    symbols = PieceSymbols(piece_set_of(mosaic.view, drawings))
    places = {tile: (nth % COLUMNS, nth // COLUMNS) for nth, tile in enumerate(tiles)}
    rows = max(row for _, row in places.values()) + 1
    content = [
        element("g", *_drawn(mosaic.view, tile, symbols), transform=f"translate({column * SQUARE} {row * SQUARE})")
        for tile, (column, row) in places.items()
    ]
    return element(
        "svg", symbols.definitions(), *content,
        xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {COLUMNS * SQUARE} {rows * SQUARE}", font_family=FONT,
    )  # fmt: skip


def _drawn(view: View, tile: Tile, symbols: PieceSymbols) -> Iterator[str]:
    match tile:
        case SquareTile(piece, dark, left, reached, check):
            yield element("rect", width=SQUARE, height=SQUARE, fill=view.squares.dark if dark else view.squares.light)
            yield left_mark() if left else ""
            yield reached_mark() if reached else ""
            yield star() if check else ""
            if piece is not None:
                yield symbols.in_color(piece.side, [symbols.use(piece, x=PIECE[0], y=PIECE[1])])
                yield promoted_mark() if piece.marked else ""
        case PocketTile(side, nth, count):
            yield element("rect", width=SQUARE, height=SQUARE, fill=view.squares.pocket)
            place = [symbols.in_color(side, [pocket_piece(view, symbols, side, nth, opacity=1 if count else 0.2)])]
            place += [badge(view, side, nth, count)] if count else []
            yield element("g", *place, transform=f"translate({-nth * view.cell:g} {-view.pocket_top(side)})")
        case CheckTile(given):
            yield element("rect", width=SQUARE, height=SQUARE, fill=PAPER)
            yield small_star(given=given, transform=f"translate(4 6) scale({SMALL_STAR})")


def base_svg(mosaic: Mosaic, drawings: Drawings) -> str:
    """The part of the picture under the tiles, which never changes: the background of the pockets, and the names."""
    view = replace(mosaic.view, size=mosaic.width)
    symbols = PieceSymbols(piece_set_of(view, drawings))
    under = [pocket_background(view, side) for side in SIDES if view.variant.pocket]
    return document(view, symbols, [background(view), *under, plates(view)])


Paste = tuple[tuple[int, int], Spot]
"""Where a tile is on the sheet (left, top), and where it goes in the picture; px."""


@dataclass(frozen=True, slots=True)
class GifPlan:
    """`sheet` has every tile, `base` is the picture under them, `end` the same with the result, which only the last
    frame shows; `frames`: what changes in each, and for how many ms it is shown."""

    sheet: PngPlan
    base: PngPlan
    end: PngPlan
    frames: tuple[tuple[tuple[Paste, ...], int], ...]


def plan_gif(scenes: Sequence[Scene], view: View, drawings: Drawings, pace: Pace) -> GifPlan:
    """The game from its first scene to its last, in a loop. Takes a tenth of a millisecond per scene.

    The board is as wide as it can be within `view.size` with a whole number of pixels per square. Of each scene only
    what changes is kept.
    """
    mosaic = Mosaic(view, view.size // view.variant.files)
    numbers: dict[Tile, int] = {}
    frames: list[tuple[tuple[Paste, ...], int]] = []
    before: dict[Spot, Tile] = {}
    for nth, scene in enumerate(scenes):
        tiles = dict(mosaic.tiles(scene))
        changed = [(tile, spot) for spot, tile in tiles.items() if before.get(spot) != tile]
        pastes = tuple((mosaic.corner(numbers.setdefault(tile, len(numbers))), spot) for tile, spot in changed)
        seconds = (pace.step if nth else pace.first) + (pace.last if nth == len(scenes) - 1 else 0)
        frames.append((pastes, round(1000 * seconds)))
        before = tiles
    unnamed = replace(mosaic, view=replace(view, plates=_without_result(view.plates)))
    base, end = (PngPlan(base_svg(one, drawings), mosaic.width) for one in (unnamed, mosaic))
    return GifPlan(PngPlan(sheet_svg(mosaic, numbers, drawings), COLUMNS * mosaic.square), base, end, tuple(frames))


def _without_result(plates: tuple[Plate, Plate] | None) -> tuple[Plate, Plate] | None:
    return plates and (Plate(plates[0].name), Plate(plates[1].name))
