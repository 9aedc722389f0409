"""Pixels: a PNG shows the board at its size, a GIF plays the game, and a card is 1200 x 630 and says what it should."""

import subprocess
import sys
from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from server.pictures.board import board_svg
from server.pictures.card import HEIGHT, WIDTH, Card, card_svg, site_card_svg
from server.pictures.gif import plan_gif
from server.pictures.markup import PngPlan
from server.pictures.raster import draw_gif, png
from server.pictures.replay import Pace
from server.pictures.scene import Plate, Scene, View, scenes
from server.rules.notation.fen import start_position
from tests.pictures.games import random_game
from tests.support.rules.built_in import VARIANTS

pytestmark = pytest.mark.slow


def pixels(data):
    return Image.open(BytesIO(data)).convert("RGB")


def colors_of(image, box):
    return {color for _, color in image.crop(box).getcolors(1_000_000)}


@pytest.mark.parametrize("variant", ["chess", "grand", "acedrex"])
def test_pieces_are_where_they_stand_and_nowhere_else(variant, drawings):
    view = View(VARIANTS[variant], coordinates=False, size=VARIANTS[variant].files * 40)
    scene = Scene(start_position(view.variant))
    image = pixels(png(PngPlan(board_svg(scene, view, drawings), view.size)))
    assert image.size == (view.size, view.variant.ranks * 40)
    for square, code in enumerate(scene.position.board):
        x, y = (place * 40 // 110 for place in view.corner(square))
        flat = len(colors_of(image, (x + 3, y + 3, x + 37, y + 37))) == 1
        assert flat == (code == 0), view.variant.geometry.names[square]


def test_text_is_drawn_without_any_font_of_the_machine(drawings):
    view = View(VARIANTS["chess"])
    start = Scene(start_position(view.variant))
    cards = [
        pixels(png(PngPlan(card_svg(Card("Fairyhouse", heading), start, view, drawings), WIDTH)))
        for heading in ("Chess", "")
    ]
    assert cards[0].tobytes() != cards[1].tobytes()
    assert cards[0].size == cards[1].size == (WIDTH, HEIGHT)


@pytest.mark.parametrize("flipped", [False, True])
def test_long_names_stay_on_the_card(flipped, drawings):
    view = View(VARIANTS["grandhouse"], flipped=flipped)
    plates = (Plate("W" * 20, "1/2"), Plate("m" * 60, "1:02:03"))
    card = Card("Fairyhouse", "Variant " * 6, "A sentence that goes on. " * 20, plates)
    image = pixels(png(PngPlan(card_svg(card, random_game("grandhouse", 60)[-1], view, drawings), WIDTH)))
    assert colors_of(image, (WIDTH - 12, 0, WIDTH, HEIGHT)) == {(0xF4, 0xF2, 0xEC)}


def test_boards_side_by_side_keep_their_own_pieces(drawings):
    names = ("chess", "grand")
    boards = [(Scene(start_position(VARIANTS[name])), View(VARIANTS[name])) for name in names]
    svg = site_card_svg("Fairyhouse", "", boards, drawings)
    ids = [part.partition('"')[0] for part in svg.split(' id="')[1:]]
    assert len(ids) == len(set(ids))


def test_a_gif_shows_each_position_and_waits_at_the_end(drawings):
    scenes = random_game("crazyhouse", 60)
    view = View(VARIANTS["crazyhouse"], size=320, coordinates=False, plates=(Plate("Ada"), Plate("Ben")))
    image = Image.open(BytesIO(draw_gif(plan_gif(scenes, view, drawings, Pace(step=0.5, first=1, last=3)))))
    assert image.n_frames == len(scenes)
    assert image.info["loop"] == 0
    for nth, ms in ((0, 1000), (30, 500), (60, 3500)):
        image.seek(nth)
        assert image.info["duration"] == ms
        still = pixels(png(PngPlan(board_svg(scenes[nth], view, drawings), 320)))
        assert difference(image.convert("RGB"), still) < 8


def test_a_gif_counts_the_checks_that_are_given(drawings):
    view = View(VARIANTS["3check"], size=320, coordinates=False)
    played = list(scenes(start_position(view.variant), ["e2e4", "e7e5", "d1h5", "b8c6", "h5f7"]))
    image = Image.open(BytesIO(draw_gif(plan_gif(played, view, drawings, Pace()))))
    strip = (0, image.height - 20, 60, image.height)
    none, one = (pixels(png(PngPlan(board_svg(scene, view, drawings), 320))).crop(strip) for scene in played[::5])
    for nth, right, wrong in ((0, none, one), (5, one, none)):
        image.seek(nth)
        shown = image.convert("RGB").crop(strip)
        assert difference(shown, right) < difference(shown, wrong)


def test_the_result_is_shown_at_the_end_only(drawings):
    told = View(VARIANTS["chess"], size=320, coordinates=False, plates=(Plate("Ada", "1"), Plate("Ben", "0")))
    untold = replace(told, plates=(Plate("Ada"), Plate("Ben")))
    scenes, corner = random_game("chess", 4), (280, 0, 320, 20)
    image = Image.open(BytesIO(draw_gif(plan_gif(scenes, told, drawings, Pace()))))
    for nth, shown, other in ((0, untold, told), (3, untold, told), (4, told, untold)):
        image.seek(nth)
        there = image.convert("RGB").crop(corner)
        same, unlike = (pixels(png(PngPlan(board_svg(scenes[nth], view, drawings), 320))) for view in (shown, other))
        assert difference(there, same.crop(corner)) < 4 < difference(there, unlike.crop(corner))


MEMORY = """
import resource
from server.pictures.drawings import read_drawings
from server.pictures.gif import plan_gif
from server.pictures.raster import draw_gif
from server.pictures.scene import View
from server.pictures.replay import Pace
from server.web.assets import find_assets
from tests.pictures.games import random_game
from tests.support.rules.built_in import VARIANTS

drawings, scenes = read_drawings(find_assets().static), random_game("acedrex", 60)
view = View(VARIANTS["acedrex"], size=600)

def peak(scenes):
    draw_gif(plan_gif(scenes, view, drawings, Pace()))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

short = peak(scenes)
print(peak(scenes * 10) - short)
"""


@pytest.mark.row("A19")
def test_a_long_game_takes_hardly_more_memory_than_a_short_one():
    """Frames that are kept would be 200 MB here."""
    told = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    assert int(told.stdout) < 40


def difference(one, other):
    """The mean distance of two pictures per channel, 0 to 255, the sizes being the same but for rounding."""
    width, height = min(one.width, other.width), min(one.height, other.height)
    assert abs(one.height - other.height) <= 1
    pairs = zip(one.crop((0, 0, width, height)).tobytes(), other.crop((0, 0, width, height)).tobytes(), strict=True)
    return sum(abs(a - b) for a, b in pairs) / (3 * width * height)
