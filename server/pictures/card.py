"""The picture that chat programs show beside a pasted link, 1200 x 630 as Open Graph recommends; and the site's icon.

A card is made to be read at a third of its size: a board and few, large words. The caller chooses the words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from server.pictures import theme
from server.pictures.board import board_svg
from server.pictures.drawings import Drawings
from server.pictures.markup import USUAL_WIDTH, element, fitting, width_of, words
from server.pictures.scene import Plate, Scene, View

HOUSE = (
    "M16 1.5 30.5 13a1.5 1.5 0 0 1-1 2.5H28V28a2.5 2.5 0 0 1-2.5 2.5h-19A2.5 2.5 0 0 1 4 28V15.5H2.5a1.5 1.5 0 0 1-1"
    "-2.5z"
)
PAWN = (
    "M16 10a4.3 4.3 0 0 1 2.8 7.6h1.2v2.2h-1.7c.2 2.6 2 4 3.2 5.7v1.8h-11v-1.8c1.2-1.7 3-3.1 3.2-5.7H12v-2.2h1.2"
    "A4.3 4.3 0 0 1 16 10z"
)
"""The logo, a house with a pawn for a door, on a 32 x 32 field, as in templates/partials/icons.html."""
MARGIN = 7
"""Room around the logo in an icon, so that a round mask cuts nothing off."""
WIDTH, HEIGHT = 1200, 630
EDGE = 30


@dataclass(frozen=True, slots=True)
class Card:
    """`heading` takes one line, `text` up to four; `plates` are White's and Black's. `site`: what that is called."""

    site: str
    heading: str
    text: str = ""
    plates: tuple[Plate, Plate] | None = None


def card_svg(card: Card, scene: Scene, view: View, drawings: Drawings) -> str:
    """A board, and beside it what `card` says."""
    height = HEIGHT - 2 * EDGE
    width = round(height * view.width / view.height)
    board = board_svg(scene, replace(view, size=width, coordinates=False, plates=None, title=""), drawings)
    left = 2 * EDGE + width + 10
    return _document(
        element("g", board, transform=f"translate({EDGE} {EDGE})"),
        *_site(card.site, left, EDGE + 8, 62),
        *_words(card, left, view.flipped),
    )


def site_card_svg(site: str, text: str, boards: Sequence[tuple[Scene, View]], drawings: Drawings) -> str:
    """The card of the site: its name `site`, a sentence, and boards of several sizes."""
    room = (WIDTH - 2 * EDGE) / max(1, len(boards))
    content = [*_site(site, 2 * EDGE, 50, 96), *_line(text, 2 * EDGE, 215, 40, WIDTH - 4 * EDGE, theme.SOFT)]
    for nth, (scene, view) in enumerate(boards):
        small = replace(view, size=round(room) - EDGE, coordinates=False)
        place = f"translate({EDGE + nth * room + EDGE / 2:g} {HEIGHT - EDGE - 6 - small.pixels[1]})"
        content.append(element("g", board_svg(scene, small, drawings, f"b{nth}"), transform=place))
    return _document(*content)


def _document(*content: str) -> str:
    paper = element("rect", width=WIDTH, height=HEIGHT, fill=theme.PAPER)
    return element(
        "svg", paper, *content,
        xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {HEIGHT}", width=WIDTH, height=HEIGHT,
        font_family=theme.FONT,
    )  # fmt: skip


def _site(name: str, x: int, y: int, size: int) -> Iterator[str]:
    sign = element("path", d=HOUSE, fill=theme.ACCENT) + element("path", d=PAWN, fill=theme.CARD)
    yield element("g", sign, transform=f"translate({x} {y}) scale({size / 32:g})")
    left = x + size + size // 4
    yield from _line(name, left, y + round(size * 0.72), round(size * 0.66), WIDTH - EDGE - left, theme.ACCENT)


def _words(card: Card, x: int, flipped: bool) -> Iterator[str]:
    room = WIDTH - EDGE - x
    yield from _line(card.heading, x, 205, 66, room, theme.INK)
    size = 36
    lines = wrap(card.text, int(room / (size * USUAL_WIDTH)), max_lines=4, placeholder="...")
    for nth, line in enumerate(lines):
        yield from _line(line, x, 268 + nth * 48, size, room, theme.SOFT)
    if card.plates is not None:
        far, near = (0, 1) if flipped else (1, 0)
        yield from _player(card.plates[far], far, x, HEIGHT - EDGE - 120, room)
        yield from _player(card.plates[near], near, x, HEIGHT - EDGE - 24, room)


def _player(plate: Plate, side: int, x: int, base: int, room: int) -> Iterator[str]:
    disc = ("#fffdf7", "#2f2b28")[side]
    note = 44 * width_of(plate.note)
    yield element("circle", cx=x + 18, cy=base - 17, r=17, fill=disc, stroke=theme.INK, stroke_width=3)
    yield from _line(plate.name, x + 54, base, 48, room - 74 - note, theme.INK)
    if plate.note:
        yield element("text", words(plate.note), x=x + room, y=base, font_size=44, text_anchor="end", fill=theme.ACCENT)


def _line(text: str, x: float, base: float, size: int, room: float, color: str) -> Iterator[str]:
    """One line of text, smaller than `size` if it would not fit into `room`."""
    yield element("text", words(text), x=x, y=base, font_size=fitting(text, size, room), fill=color)


def icon_svg(paper: str, roof: str, pawn: str) -> str:
    """A square icon in these colours."""
    field = 32 + 2 * MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-{MARGIN} -{MARGIN} {field} {field}">'
        f'<path fill="{paper}" d="M-{MARGIN}-{MARGIN}h{field}v{field}h-{field}z"/>'
        f'<path fill="{roof}" d="{HOUSE}"/><path fill="{pawn}" d="{PAWN}"/></svg>'
    )
