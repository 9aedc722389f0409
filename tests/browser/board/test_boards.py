"""Two real browsers play each other on every size of board, with every kind of move."""

import pytest
from playwright.async_api import expect

from tests.support.browser.finger import Finger
from tests.support.browser.player import all_make, all_see, begin
from tests.support.browser.screens import PHONE, assert_no_sideways_scroll
from tests.support.rules.built_in import VARIANTS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


CASTLING_CAN_GATE = VARIANTS["seirawan"].start_fen.replace("RNBQKBNR", "RNBQK2R").replace("KQBCDFG", "KQBCD")


@pytest.fixture
def motion():
    """Every kind of move is made while the pieces glide, as most people see them."""
    return "no-preference"


async def test_a_friend_takes_the_seat_by_moving_and_by_typing_a_move(seat):
    white, black = await seat(), await seat()
    link = await white.challenge("chess")
    await white.click("e2", "e4")
    await black.open(link)
    await black.sees("e4")
    await black.drag("e7", "e5")
    await all_see((white, black), "e4", "e5")
    assert "#" not in black.page.url
    link = await white.challenge("chess")
    await white.click("e2", "e4")
    await black.open(link)
    await black.sees("e4")
    await black.write("c5")
    await all_see((white, black), "e4", "c5")


async def test_drops_by_drag_by_click_and_in_advance_and_how_they_are_marked(pair):
    white, black = await pair("crazyhouse")
    await all_make((white, black), "e2e4", "d7d5", "e4d5")
    await black.drag("d8", "d5")
    await all_see((white, black), "e4", "d5", "exd5", "Qxd5")
    await white.drop("p", "e4")
    await all_see((white, black), "e4", "d5", "exd5", "Qxd5", "P@e4")
    await black.pick("p")
    await black.click("e6")
    await all_see((white, black), "e4", "d5", "exd5", "Qxd5", "P@e4", "P@e6")
    await white.click("e4", "d5")
    await all_see((white, black), "e4", "d5", "exd5", "Qxd5", "P@e4", "P@e6", "exd5")
    await white.drop("q", "h5")
    await black.click("e6", "d5")
    await all_see((white, black), "e4", "d5", "exd5", "Qxd5", "P@e4", "P@e6", "exd5", "exd5", "Q@h5")

    await black.write("Nf6")
    await white.has(10)
    await white.write("Qxd5")
    await black.has(11)
    await a_drop_is_marked_alike_where_a_piece_just_was(black)


async def a_drop_is_marked_alike_where_a_piece_just_was(player):
    """A ring means a capture."""
    await player.pick("p")
    left, empty = (player.page.locator(f"square.move-dest{which}") for which in (".last-move", ":not(.last-move)"))
    await expect(left).to_have_count(1)
    mark = "square => getComputedStyle(square, '::after').backgroundImage"
    assert await left.evaluate(mark) == await empty.first.evaluate(mark)
    # Beneath its mark it has the colour of the last move.
    color = "square => getComputedStyle(square).backgroundColor"
    moved = await player.page.locator("square.last-move:not(.move-dest)").evaluate(color)
    assert await left.evaluate(color) == moved != await empty.first.evaluate(color)


async def test_what_is_in_hand_is_dropped_or_gated_by_mouse_on_other_boards(pair):
    white, black = await pair("grandhouse", fen="4k5/10/10/10/10/10/10/10/10/4K5[QPp] w - - 0 1")
    await all_make((white, black), "Q@a5", "P@g5", "P@b2")
    await begin(white, black, "shouse")
    await all_make((white, black), "H@g5", "b8c6e", "g5f7", "e8f7h", "E@d4")
    await all_see((white, black), "H@g5", "Nc6/E", "Hxf7+", "Kxf7/H", "E@d4")


async def test_gates_are_asked_for_and_can_be_taken_back(pair):
    white, black = await pair("seirawan")
    await white.click("b1", "c3")
    await expect(white.page.locator("#choice")).to_be_visible()
    await white.page.keyboard.press("Escape")
    await white.shows(VARIANTS["seirawan"].start_fen)
    await white.click("b1", "c3")
    await white.choose("hawk")
    await all_see((white, black), "Nc3/H")
    await begin(white, black, "seirawan", fen=CASTLING_CAN_GATE)
    await white.click("e1", "g1")
    await white.choose("elephant on h1")
    await all_see((white, black), "O-O/Eh1")


async def test_a_piece_promotes_or_stays_on_shogun_and_on_ten_by_ten(pair):
    white, black = await pair("shogun", fen="4k3/8/8/P7/8/8/8/4K3[] w - - 0 1")
    await white.click("a5", "a6")
    await white.choose("captain")
    await all_see((white, black), "a6=C")
    await begin(white, black, "grand", fen="4k5/10/P9/10/10/10/10/10/r9/4K5 w - - 0 1")
    await white.click("a8", "a9")
    await white.choose("Do not promote")
    await black.click("a2", "b2")
    await white.sees("a9", "Rb2")
    await white.write("a10=C")
    await all_see((white, black), "a9", "Rb2", "a10=C+")


async def test_castling_on_ten_files_and_by_the_rook_in_960(pair):
    white, black = await pair("capablanca", fen="r4k3r/pppppppppp/10/10/10/10/PPPPPPPPPP/R4K3R w KQkq - 0 1")
    await white.click("f1", "i1")
    await black.click("f8", "a8")
    await all_see((white, black), "O-O", "O-O-O")
    shuffled = "1r2kr2/pppppppp/8/8/8/8/PPPPPPPP/1R2KR2 w FBfb - 0 1"
    await begin(white, black, "chess", chess960=True, fen=shuffled)
    await white.click("e1", "c1")
    await black.click("e8", "f8")
    await all_see((white, black), "O-O-O", "O-O")


async def test_twelve_by_twelve_by_mouse_keyboard_and_typed(pair):
    white, black = await pair("acedrex")
    await white.click("f4", "f5")
    await black.sees("f5")
    await black.write("f9f8")
    await all_see((white, black), "f5", "f8")
    await white.click("g1", "g3")
    await white.sees("f5", "f8", "Kg3")
    await black.page.focus("#board")
    for key in ("ArrowUp",) * 3 + ("Enter", "ArrowUp", "Enter"):
        await black.page.keyboard.press(key)
    await all_see((white, black), "f5", "f8", "Kg3", "g8")


async def test_a_premove_keeps_its_promotion_while_its_owner_looks_back(pair):
    white, black = await pair("chess", fen="8/4k3/P7/8/8/8/8/4K3 w - - 0 1")
    await white.click("a6", "a7")
    await white.sees("a7")
    await white.drag("a7", "a8")
    await white.choose("rook")
    await white.page.click("#nav-prev")
    await black.click("e7", "e6")
    await all_see((white, black), "a7", "Ke6", "a8=R")


async def test_a_window_that_becomes_smaller_scrolls_to_no_side(pair):
    white, black = await pair("chess")
    await white.page.set_viewport_size({"width": 1440, "height": 900})
    await white.drag("h2", "h4")
    await all_see((white, black), "h4")
    await white.page.set_viewport_size({"width": 360, "height": 740})
    await assert_no_sideways_scroll(white.page)


async def test_by_finger_on_a_phone(seat):
    white, black = await seat(), await seat(**PHONE)
    await black.open(await white.challenge("grandhouse"))
    await white.click("e3", "e5")
    await black.sees("e5")
    finger = await Finger.of(black)
    for square in ("e8", "e6"):
        await finger.tap(*await black.point(square))
    await all_see((white, black), "e5", "e6")
    await assert_no_sideways_scroll(black.page)
