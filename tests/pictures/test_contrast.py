"""What stands on a square, or is marked there, can be told from it, on every board that can be chosen (WCAG 1.4.11)."""

import re
from pathlib import Path

import pytest

from server.pictures import theme
from server.pictures.theme import BOARDS

CSS = Path(__file__).parents[2] / "static" / "css" / "game"
MARKS = dict(re.findall(r"--([\w-]+): (#\w+);", (CSS / "marks.css").read_text(encoding="utf-8")))
SOLID = ("mark", "plan", "gate")
"""Frames, corners, discs, rings and hatching are drawn in them."""
TINTS = ("moved", "chosen")
BESIDE = ("halo",)
"""Lies along a mark, for pieces as dark as the mark."""
SIZES_AND_PICTURES = ("unit", "thin", "bold", "files", "pocket", "star", "r1", "font")


def channels(color):
    return [int(color[at : at + 2], 16) for at in (1, 3, 5)]


def luminance(color):
    """As WCAG 2 defines it."""
    parts = [part / 255 for part in channels(color)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def seen_through(tint, ground):
    """What #rrggbbaa over #rrggbb looks like."""
    opacity = int(tint[7:], 16) / 255
    mixed = (
        over * opacity + under * (1 - opacity)
        for over, under in zip(channels(tint), channels(ground), strict=True)
    )  # fmt: skip
    return "#" + "".join(f"{round(part):02x}" for part in mixed)


def test_contrasts_are_computed_as_everybody_does():
    assert contrast("#000000", "#ffffff") == 21
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert seen_through("#ff000080", "#0000ff") == "#80007f"


def test_there_are_boards_to_choose_from():
    assert len(BOARDS) >= 8
    assert next(iter(BOARDS)) == "sage"
    assert len({(board.light, board.dark) for board in BOARDS.values()}) == len(BOARDS)


@pytest.mark.parametrize("name", BOARDS)
def test_pieces_stand_out_from_the_square_of_their_own_lightness(name, drawings):
    """By their fill, which the dark outline helps White and the lines upon the body help Black to be told by."""
    board = BOARDS[name]
    for piece_set in drawings.sets.values():
        white, black = piece_set.sides
        assert min(contrast(part, board.light) for part in (white.start, white.end)) >= 1.5
        assert min(contrast(part, board.dark) for part in (black.start, black.end)) >= 3
        assert min(contrast(white.edge, square) for square in (board.light, board.dark)) >= 3
        assert contrast(black.line, black.start) >= 3
    assert contrast(board.light, board.dark) >= 1.9


def grounds(board):
    """What marks are drawn on: each square, bare, of the last move, picked up or under the pointer; and the pocket."""
    bare = (board.light, board.dark, board.pocket)
    return [*bare, *(seen_through(MARKS[tint], square) for tint in TINTS for square in bare)]


def test_marks_are_drawn_in_no_other_colours():
    drawn = "".join((CSS / f"{name}.css").read_text(encoding="utf-8") for name in ("marks", "pockets"))
    used = set(re.findall(r"var\(--([\w-]+)\)", drawn))
    assert used == {*SOLID, *TINTS, *BESIDE, *SIZES_AND_PICTURES, "pocket-color"}


@pytest.mark.parametrize("name", BOARDS)
def test_marks_and_coordinates_stand_out_from_every_square(name):
    board = BOARDS[name]
    assert {mark: each for mark in SOLID for each in grounds(board) if contrast(MARKS[mark], each) < 3} == {}
    assert min(contrast(theme.COORDINATES, ground) for ground in grounds(board)) >= 4.5
    # The star of a check lies over whatever else is on its square.
    assert min(contrast(theme.CHECK_EDGE, square) for square in (board.light, board.dark)) >= 3


def test_pictures_are_marked_in_the_colours_of_the_page():
    page = (CSS / "marks.css").read_text(encoding="utf-8") + (CSS / "board.css").read_text(encoding="utf-8")
    assert (MARKS["mark"], MARKS["moved"]) == (theme.MARK, theme.MOVED)
    for color in (theme.CHECK, theme.CHECK_EDGE):
        assert color.replace("#", "%23") in page
    assert f"color: {theme.COORDINATES};" in page
    assert f"background: {theme.PROMOTED};" in page
