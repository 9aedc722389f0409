"""A still board shows the position, all of it and nothing else, whichever way it is turned and whoever is named."""

import re
from dataclasses import replace

import pytest

from server.pictures.board import board_svg
from server.pictures.drawings import piece_of
from server.pictures.scene import Plate, Scene, View
from server.pictures.theme import PROMOTED
from server.rules.movegen.moves import Drop
from server.rules.notation.fen import parse_fen, start_position
from tests.pictures.games import random_game
from tests.pictures.svg import NS, alarms, counted, moved, moved_in, parse, pieces, pockets
from tests.support.rules.built_in import EVERY_VARIANT, VARIANTS

HOSTILE = "</text><script>alert(1)</script> & \"'\x00\x1b\ud800"


def expected(scene, drawings):
    """(square, side) of every piece, and how many of them piece alike."""
    codes = scene.position.tables.codes
    placed = [(square, piece_of(codes, code)) for square, code in enumerate(scene.position.board)]
    return [(square, drawings.usual.shape(piece), piece.side) for square, piece in placed if piece]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("flipped", [False, True])
def test_every_start_position_is_drawn_piece_by_piece(variant, flipped, drawings):
    view = View(VARIANTS[variant], flipped=flipped)
    scene = Scene(start_position(view.variant))
    seen, wanted = pieces(board_svg(scene, view, drawings), view), expected(scene, drawings)
    assert [(square, side) for square, _, side in seen] == [(square, side) for square, _, side in wanted]
    assert len({shape for _, shape, _ in seen}) == len({shape for _, shape, _ in wanted})


@pytest.mark.parametrize("variant", [one.id for one in VARIANTS.values() if one.pocket])
def test_pockets_show_how_many_of_each_kind(variant, drawings):
    view = View(VARIANTS[variant])
    scene = random_game(variant, 120)[-1]
    seen = pockets(board_svg(scene, view, drawings), view)
    assert seen == tuple([count for count in pocket if count] for pocket in scene.position.pockets)


def test_a_promoted_piece_that_will_be_a_pawn_again_has_a_mark(drawings):
    variant = VARIANTS["crazyhouse"]
    view = View(variant)
    svg = [
        board_svg(Scene(parse_fen(variant, f"4k3/8/8/8/8/8/8/{queen}3K3[] w - - 0 1")), view, drawings)
        for queen in ("Q~", "Q")
    ]
    marks = [[one for one in parse(each).iter(f"{NS}circle") if one.get("fill") == PROMOTED] for each in svg]
    assert [len(each) for each in marks] == [1, 0]


def test_a_move_has_a_dashed_and_a_whole_frame_and_a_drop_a_whole_one(drawings):
    view = View(VARIANTS["crazyhouse"])
    game = random_game("crazyhouse", 120)[1:]
    drop = next(scene for scene in game if isinstance(scene.move, Drop))
    assert moved(board_svg(drop, view, drawings), view) == [(drop.move.target, False)]
    move = next(scene for scene in game if not isinstance(scene.move, Drop))
    expected = sorted([(move.move.origin, True), (move.move.target, False)])
    assert moved(board_svg(move, view, drawings), view) == expected


@pytest.mark.parametrize("flipped", [False, True])
def test_squares_that_win_are_marked_and_no_others(flipped, drawings):
    def marked(name):
        view = View(EVERY_VARIANT[name], flipped=flipped)
        svg = parse(board_svg(Scene(start_position(view.variant)), view, drawings))
        dotted = f"{NS}rect[@stroke-dasharray='4 5']"
        marks = {one.get("transform") for one in svg.iter(f"{NS}g") if one.find(dotted) is not None}
        names = enumerate(view.variant.geometry.names)
        return {name for at, name in names if "translate({} {})".format(*view.corner(at)) in marks}

    assert marked("kingofthehill") == {"d4", "e4", "d5", "e5"}
    assert marked("chess") == set()
    assert marked("orda") == set(), "each side has a rank of its own"


@pytest.mark.parametrize("flipped", [False, True])
def test_checks_that_were_given_are_counted_beside_the_side_that_gave_them(flipped, drawings):
    view = View(VARIANTS["3check"], flipped=flipped)
    position = parse_fen(view.variant, "4k3/8/8/8/8/8/8/R3K3 w - - 1+2 0 1")
    assert counted(board_svg(Scene(position), view, drawings), view) == [2, 1]
    assert view.checks_top(0 if flipped else 1) == 0
    assert View(VARIANTS["chess"]).margin == 0


def test_the_last_move_and_a_check_are_lit(drawings):
    view = View(VARIANTS["chess"])
    checked = next(scene for scene in random_game("chess", 200) if scene.check is not None)
    svg = board_svg(checked, view, drawings)
    assert moved(svg, view) == moved_in(checked)
    assert alarms(svg, view) == {checked.check}
    assert alarms(board_svg(Scene(start_position(view.variant)), view, drawings), view) == set()


@pytest.mark.parametrize(
    ("flipped", "square", "corner"),
    [(False, "a1", (0, 990)), (False, "j10", (990, 0)), (False, "b10", (110, 0)),
     (True, "a1", (990, 0)), (True, "j10", (0, 990)), (True, "b10", (880, 990))],
)  # fmt: skip
def test_a1_is_at_the_lower_left_of_white_and_at_the_upper_right_of_black(flipped, square, corner):
    grand = VARIANTS["grand"]
    assert View(grand, flipped=flipped).corner(grand.geometry.parse(square)) == corner


def test_the_pocket_of_the_side_at_the_bottom_is_at_the_bottom():
    crazyhouse = VARIANTS["crazyhouse"]
    for flipped, near in ((False, 0), (True, 1)):
        view = View(crazyhouse, flipped=flipped, plates=(Plate("A"), Plate("B")))
        assert view.pocket_top(near) == view.margin + view.board_height
        assert view.plate_top(1 - near) == 0
        assert view.plate_top(1 - near) < view.pocket_top(1 - near) < view.margin


def test_coordinates_are_those_of_the_side_at_the_bottom(drawings):
    variant = VARIANTS["grand"]
    for flipped, letters, numbers in (
        (False, "abcdefghij", [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]),
        (True, "jihgfedcba", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
    ):
        svg = board_svg(Scene(start_position(variant)), View(variant, flipped=flipped), drawings)
        texts = [text.text for text in parse(svg).iter(f"{NS}text")]
        assert texts == [*letters, *map(str, numbers)]
    plain = View(variant, coordinates=False)
    assert not list(parse(board_svg(Scene(start_position(variant)), plain, drawings)).iter(f"{NS}text"))


def test_names_are_text_and_nothing_else(drawings):
    variant = VARIANTS["chess"]
    view = View(variant, plates=(Plate(HOSTILE, HOSTILE), Plate("Ben")), title=HOSTILE)
    root = parse(board_svg(Scene(start_position(variant)), view, drawings))
    assert not [one for one in root.iter() if "script" in one.tag]
    kept = "</text><script>alert(1)</script> & \"'"
    assert [text.text for text in root.iter(f"{NS}text") if text.text.startswith("<")] == [kept, kept]
    assert root.findtext(f"{NS}title") == kept


def test_a_picture_needs_no_style_no_script_and_no_other_file(drawings):
    for variant in VARIANTS.values():
        svg = board_svg(Scene(start_position(variant)), View(variant), drawings)
        assert not re.search(r"<style|<script|class=|style=|https?://(?!www\.w3\.org/2000/svg)", svg)


def test_a_piece_without_a_drawing_is_shown_as_its_letter(drawings):
    variant = VARIANTS["grand"]
    bare = type(drawings)({name: replace(one, shapes={}) for name, one in drawings.sets.items()})
    svg = board_svg(Scene(start_position(variant)), View(variant, coordinates=False), bare)
    letters = {text.text for text in parse(svg).iter(f"{NS}text")}
    assert letters == {"R", "N", "B", "Q", "K", "C", "A", "P"}
