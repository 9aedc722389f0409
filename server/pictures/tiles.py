"""A board as a mosaic of tiles: one for every square and every slot of a pocket. A game shows the same few tiles again
and again. All that a replay needs are drawn at once on one sheet, which makes a GIF cheap. Knows no pixels.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from server.pictures.board import (
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
    star,
)
from server.pictures.drawings import Drawings, Piece, PieceSymbols, piece_of
from server.pictures.layout import PIECE, POCKET, SQUARE, View
from server.pictures.markup import element
from server.pictures.scene import Scene
from server.pictures.theme import FONT
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


Tile = SquareTile | PocketTile
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

    def of(self, scene: Scene) -> dict[Spot, Tile]:
        """The tiles of the whole scene."""
        return dict(self._tiles(scene))

    def corner(self, number: int) -> tuple[int, int]:
        """The left and top of the tile with that number on the sheet, px."""
        return number % COLUMNS * self.square, number // COLUMNS * self.square

    def _tiles(self, scene: Scene) -> Iterator[tuple[Spot, Tile]]:
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


def base_svg(mosaic: Mosaic, drawings: Drawings) -> str:
    """The part of the picture under the tiles, which never changes: the background of the pockets, and the names."""
    view = replace(mosaic.view, size=mosaic.width)
    symbols = PieceSymbols(piece_set_of(view, drawings))
    under = [pocket_background(view, side) for side in SIDES if view.variant.pocket]
    return document(view, symbols, [background(view), *under, plates(view)])
