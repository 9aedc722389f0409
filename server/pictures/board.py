"""One board as a still picture: squares, the last move, a check, the pieces, coordinates, pockets and names.

The parts are also what an animated picture is made of.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from server.pictures import theme
from server.pictures.drawings import Drawings, Piece, PieceSet, PieceSymbols, piece_of
from server.pictures.markup import element, fitting, paint, width_of, words
from server.pictures.scene import PIECE, PLATE, POCKET, SQUARE, Scene, View
from server.rules.variant.piece_codes import SIDES
from server.rules.variant.variant import FILE_LETTERS

STAR = "M50 3 61 19 81 8 82 29 97 50 82 68 84 89 62 83 50 97 38 83 16 89 18 68 3 50 18 29 19 8 39 19Z"
"""On a field of 100 x 100, as in static/css/game/marks.css."""
SMALL_STAR = 0.36
"""How large a counted check is, of that field."""
CHECK_CELL = 46
"""How wide the place of one is."""
GOAL = 10
"""How far within its square the mark of a goal is."""


def board_svg(scene: Scene, view: View, drawings: Drawings, prefix: str = "") -> str:
    """The picture as a self-contained SVG document. `prefix` keeps its ids apart if it is part of another picture."""
    symbols = PieceSymbols(piece_set_of(view, drawings), prefix)
    content = [
        background(view),
        _on(view, scene.left, left_mark()),
        _on(view, scene.reached, reached_mark()),
        _on(view, scene.check, star()),
        coordinates(view) if view.coordinates else "",
        *(symbols.in_color(side, pieces(scene, view, symbols, side)) for side in SIDES),
        marks(scene, view),
        *pockets(scene, view, symbols),
        *(mark for side in SIDES for mark in counted_checks(scene, view, side)),
        plates(view),
    ]
    return document(view, symbols, content)


@dataclass(frozen=True, slots=True)
class LiveBoard:
    """The board as `svg`, whose position a script changes: the groups `marks`, `pieces-white`, `pieces-black`, `over`,
    and `checks-white` and `checks-black` where checks are counted, have all that depends on it. `kinds`: the id of the
    definition that draws each role, by the id of the role.
    """

    svg: str
    kinds: Mapping[str, str]


def live_board(scene: Scene, view: View, drawings: Drawings) -> LiveBoard:
    """The board at `scene`, with definitions of every mark and every kind of piece that the game may come to."""
    symbols = PieceSymbols(piece_set_of(view, drawings))
    kinds = {role.id: symbols.name(Piece(role.name, role.id, 0)) for role in view.variant.roles}
    held = [(view.variant.pocket and scene.position.pockets[side]) or () for side in SIDES]
    marks_of_moves = {"from": left_mark(), "to": reached_mark(), "dot": promoted_mark()}
    content = [
        element("defs", *(element("g", mark, id=name) for name, mark in marks_of_moves.items())),
        background(view),
        *(pocket_background(view, side) for side in SIDES if view.variant.pocket),
        element("g", _on(view, scene.left, left_mark()), _on(view, scene.reached, reached_mark()), id="marks"),
        coordinates(view) if view.coordinates else "",
    ]
    for side, name in zip(SIDES, ("white", "black"), strict=True):
        in_pocket = (
            pocket_piece(view, symbols, side, nth, opacity=1 if number else 0.2)
            for nth, number in enumerate(held[side])
        )
        drawn = symbols.in_color(side, (*pieces(scene, view, symbols, side), *in_pocket))
        content.append(element("g", drawn, id=f"pieces-{name}"))
        if view.variant.endings.checks:
            content.append(element("g", *counted_checks(scene, view, side), id=f"checks-{name}"))
    numbers = (badge(view, side, nth, number) for side in SIDES for nth, number in enumerate(held[side]) if number)
    content.append(element("g", marks(scene, view), *numbers, id="over"))
    return LiveBoard(document(view, symbols, content), kinds)


def piece_set_of(view: View, drawings: Drawings) -> PieceSet:
    """The piece set that the view names, or the default one."""
    return drawings.sets.get(view.piece_set, drawings.usual)


def document(view: View, symbols: PieceSymbols, content: list[str]) -> str:
    """The root element around `content`, with the definitions of all `symbols` used in it."""
    width, height = view.pixels
    return element(
        "svg",
        element("title", words(view.title)) if view.title else "",
        symbols.definitions(),
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {view.width} {view.height}",
        width=width,
        height=height,
        font_family=theme.FONT,
    )


def background(view: View) -> str:
    """The empty board, and the background of pockets and names."""
    geometry = view.variant.geometry
    corners = [view.corner(square) for square in range(geometry.size) if geometry.is_dark(square)]
    dark = "".join(f"M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z" for x, y in corners)
    around = element("rect", width=view.width, height=view.height, fill=theme.PAPER) if view.margin else ""
    light = element("rect", y=view.margin, width=view.width, height=view.board_height, fill=view.squares.light)
    return around + light + element("path", d=dark, fill=view.squares.dark) + _goals(view)


def _goals(view: View) -> str:
    """Dotted frames, as in static/css/game/marks.css, within the squares that win for either side; "" if none does."""
    goal = view.variant.endings.goal
    if goal is None:
        return ""
    mark = element(
        "rect", x=GOAL, y=GOAL, width=SQUARE - 2 * GOAL, height=SQUARE - 2 * GOAL, fill="none", stroke=theme.MARK,
        stroke_width=4, stroke_dasharray="4 5",
    )  # fmt: skip
    return "".join(_on(view, square, mark) for square in sorted(goal.shared))


def _on(view: View, square: int | None, mark: str) -> str:
    """The mark on that square, which is drawn at the corner of the picture; nothing if there is no square."""
    if square is None:
        return ""
    x, y = view.corner(square)
    return element("g", mark, transform=f"translate({x} {y})")


def left_mark() -> str:
    """Where the last move began: a dashed frame."""
    return _frame(3, stroke_dasharray="9 6")


def reached_mark() -> str:
    """Where the last move ended: a whole frame."""
    return _frame(4)


def _frame(width: float, **attributes: str | float) -> str:
    return element(
        "rect", x=width / 2, y=width / 2, width=SQUARE - width, height=SQUARE - width, stroke=theme.MARK,
        stroke_width=width, **paint(theme.MOVED), **attributes,
    )  # fmt: skip


def star() -> str:
    """The mark behind a king in check."""
    return element("path", d=STAR, fill=theme.CHECK, stroke=theme.CHECK_EDGE, stroke_width=5, transform="scale(1.1)")


def coordinates(view: View) -> str:
    """Files along the bottom edge and ranks along the left edge, inside the squares as on the page."""
    bottom, files, ranks = view.margin + view.board_height - 9, view.variant.files, view.variant.ranks
    letters = FILE_LETTERS[:files][:: -1 if view.flipped else 1]
    numbers = range(1, ranks + 1) if view.flipped else range(ranks, 0, -1)
    along = (
        element("text", letter, x=(column + 1) * SQUARE - 8, y=bottom, text_anchor="end")
        for column, letter in enumerate(letters)
    )
    up = (element("text", str(rank), x=7, y=view.margin + row * SQUARE + 27) for row, rank in enumerate(numbers))
    return element("g", *along, *up, fill=theme.COORDINATES, font_size=25, font_weight=600)


def pieces(scene: Scene, view: View, symbols: PieceSymbols, side: int) -> Iterator[str]:
    """The pieces of one side."""
    for square, code in enumerate(scene.position.board):
        piece = piece_of(scene.position.tables.codes, code)
        if piece is not None and piece.side == side:
            x, y = view.corner(square)
            yield symbols.use(piece, x=x + PIECE[0], y=y + PIECE[1])


def marks(scene: Scene, view: View) -> str:
    """A dot on each piece that turns back into a pawn when it is captured."""
    placed = ((square, piece_of(scene.position.tables.codes, code)) for square, code in enumerate(scene.position.board))
    return "".join(
        element("g", promoted_mark(), transform="translate({} {})".format(*view.corner(square)))
        for square, piece in placed
        if piece is not None and piece.marked
    )


def promoted_mark() -> str:
    """The dot for one piece, relative to its square."""
    return element("circle", cx=90, cy=20, r=9, fill=theme.PROMOTED, stroke=theme.MARK, stroke_width=3)


def pockets(scene: Scene, view: View, symbols: PieceSymbols) -> Iterator[str]:
    """Both pockets: every kind that they can hold, pale if there is none, otherwise with their number."""
    for side in SIDES if view.variant.pocket else ():
        yield pocket_background(view, side)
        places = list(enumerate(scene.position.pockets[side]))
        yield symbols.in_color(
            side, (pocket_piece(view, symbols, side, nth, opacity=1 if number else 0.2) for nth, number in places)
        )
        yield from (badge(view, side, nth, number) for nth, number in places if number)


def pocket_background(view: View, side: int) -> str:
    """The ground of the pocket of `side` (0: White, 1: Black), as an SVG element."""
    return element("rect", y=view.pocket_top(side), width=view.width, height=POCKET, fill=view.squares.pocket)


def pocket_piece(view: View, symbols: PieceSymbols, side: int, nth: int, *inside: str, opacity: float) -> str:
    """The `nth` kind of piece in the pocket of a side."""
    pocket = view.variant.pocket
    assert pocket is not None
    role = view.variant.role(pocket.order[nth])
    scale = (view.cell - 4) / SQUARE
    x, y = (
        nth * view.cell + 2 + PIECE[0] * scale,
        view.pocket_top(side) + (POCKET - view.cell) / 2 + 2 + PIECE[1] * scale,
    )
    place = f"translate({x:.4g} {y:.4g}) scale({scale:.3g})"
    return symbols.use(Piece(role.name, role.id, side), *inside, transform=place, opacity=opacity)


def badge(view: View, side: int, nth: int, number: int, *inside: str, **attributes: str | float) -> str:
    """How many of that kind are in the pocket."""
    size = min(40.0, view.cell * 0.42)
    x, y = (nth + 1) * view.cell - size * 0.9, view.pocket_top(side) + (POCKET + view.cell) / 2 - size * 0.9
    width = size * (1 if number < 10 else 1.5)
    back = element(
        "rect", x=x + size / 2 - width / 2, y=y - size * 0.2, width=width, height=size, rx=size / 2, fill=theme.BADGE
    )
    text = element(
        "text", str(number), x=x + size / 2, y=y + size * 0.52, font_size=size * 0.7, font_weight=700,
        text_anchor="middle", fill=theme.ON_ACCENT,
    )  # fmt: skip
    return element("g", back, text, *inside, **attributes)


def counted_checks(scene: Scene, view: View, side: int) -> Iterator[str]:
    """A star for each check that wins where a number of them does, full for those that the side has given."""
    most = view.variant.endings.checks
    for nth in range(most):
        yield counted_check(view, side, nth, given=nth < most - scene.position.to_check[side])


def counted_check(view: View, side: int, nth: int, *inside: str, given: bool) -> str:
    """The `nth` star of a side."""
    x, y = 8 + nth * CHECK_CELL, view.checks_top(side) + 6
    return small_star(*inside, given=given, transform=f"translate({x} {y}) scale({SMALL_STAR})")


def small_star(*inside: str, given: bool, **attributes: str) -> str:
    """What counts a check: full, or only its edge."""
    return element(
        "path", *inside, d=STAR, fill=theme.CHECK, fill_opacity=int(given), stroke=theme.CHECK_EDGE, stroke_width=8,
        **attributes,
    )  # fmt: skip


def plates(view: View) -> str:
    """Names and notes beside the board; a name too long for its space is written smaller, not cut."""
    if view.plates is None:
        return ""
    return "".join(plate for side in SIDES for plate in _plate(view, side))


def _plate(view: View, side: int) -> Iterator[str]:
    assert view.plates is not None
    plate, base = view.plates[side], view.plate_top(side) + PLATE * 0.66
    disc = ("#fffdf7", "#2f2b28")[side]
    yield element("circle", cx=34, cy=base - 16, r=17, fill=disc, stroke=theme.INK, stroke_width=3)
    size = fitting(plate.name, 46, view.width - 92 - 46 * width_of(plate.note))
    yield element("text", words(plate.name), x=64, y=base, font_size=size, fill=theme.INK)
    if plate.note:
        yield element(
            "text", words(plate.note), x=view.width - 14, y=base, font_size=46, font_weight=600,
            text_anchor="end", fill=theme.ACCENT,
        )  # fmt: skip
