"""Squares smaller than a finger: no coordinates, the one below the finger is named, and a loupe shows what it covers.

On each size of board in the catalogue, of which a phone makes some squares small and some not.
"""

import pytest
from playwright.async_api import expect

from tests.support.browser.finger import Finger
from tests.support.browser.player import begin, meet
from tests.support.browser.screens import PHONE, areas, assert_inside, boxes, laid_out
from tests.support.rules.built_in import VARIANTS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SMALL = 36
SIZES = {(variant.files, variant.ranks): name for name, variant in VARIANTS.items()}
IN_THE_MIDDLE = """() => {
    const loupe = document.querySelector('.loupe').getBoundingClientRect();
    const [x, y] = [loupe.x + loupe.width / 2, loupe.y + loupe.height / 2];
    return [...document.querySelectorAll('.loupe piece')].filter(piece => {
        const { left, right, top, bottom } = piece.getBoundingClientRect();
        return left < x && x < right && top < y && y < bottom;
    }).map(piece => piece.className.replace(/ally|enemy/, '').split(/\\s+/).filter(Boolean).sort().join(' '));
}"""


async def test_coordinates_are_small_on_small_squares_and_the_board_fits(seat):
    phone = await seat(**PHONE)
    for size, variant in SIZES.items():
        await phone.challenge(variant)
        await laid_out(phone.page)
        width = PHONE["viewport"]["width"] / size[0]
        coordinates = phone.page.locator("#board coords")
        assert await coordinates.count()
        for each in await coordinates.all():
            await expect(each).to_be_visible()
            font = await each.evaluate("each => parseFloat(getComputedStyle(each).fontSize)")
            assert (font < 10) is (width <= SMALL), size
        board = await boxes(phone.page, "cg-board")
        assert_inside(board["cg-board"], PHONE["viewport"], size)


async def test_a_piece_goes_where_the_finger_is_lifted_and_the_loupe_shows_where_that_is(seat):
    phone, black = await seat(**PHONE), await seat()
    await begin(phone, black, "acedrex")
    finger = await Finger.of(phone)
    line = phone.page.locator("#board-says")
    idle = await line.text_content()
    await finger.press(*await phone.point("f4"))
    await expect(line).to_have_text("f4, white pawn")
    await finger.lift()
    await expect(line).to_have_text(idle)
    await finger.press(*await phone.point("g6"))
    await expect(phone.page.locator(".loupe")).to_have_count(0)
    for square, words, pieces in (("f4", "f4, white pawn", ["p-piece white"]), ("f5", "f5, empty", [])):
        await finger.slide(*await phone.point(square))
        await expect(line).to_have_text(words)
        await expect(phone.page.locator(".loupe")).to_be_visible()
        assert await phone.page.evaluate(IN_THE_MIDDLE) == pieces
        (loupe,) = await areas(phone.page, ".loupe")
        at = await phone.point(square)
        assert not (loupe[0] <= at[0] <= loupe[2] and loupe[1] <= at[1] <= loupe[3])
        assert loupe[0] >= 0
        assert loupe[1] >= 0
        assert loupe[2] <= PHONE["viewport"]["width"]
    await finger.lift()
    await black.sees("f5")
    await phone.sees("f5")
    await expect(phone.page.locator(".loupe")).to_have_count(0)


async def test_a_dragged_piece_has_the_loupe_too_and_beside_the_board_nothing_happens(seat):
    black, phone = await seat(), await seat(**PHONE)
    await phone.open(await meet(black, phone, "acedrex"))
    await black.open(phone.page.url)
    await black.click("f4", "f5")
    await phone.sees("f5")
    finger = await Finger.of(phone)
    await finger.press(*await phone.point("g9"))
    await finger.slide(*await phone.point("g8"))
    await expect(phone.page.locator(".loupe")).to_be_visible()
    await finger.lift()
    await black.sees("f5", "g8")
    await black.click("g4", "g5")
    await phone.sees("f5", "g8", "g5")
    await finger.tap(*await phone.point("h9"))
    await finger.press(*await phone.point("h8"))
    await finger.slide(180, 700)
    await expect(phone.page.locator(".loupe")).to_have_count(0)
    await finger.lift()
    await finger.tap(*await phone.point("h8"))
    await black.sees("f5", "g8", "g5", "h8")


async def test_where_squares_are_large_a_tap_moves_at_once(seat):
    phone = await seat(**PHONE)
    await phone.challenge("chess")
    finger = await Finger.of(phone)
    await finger.tap(*await phone.point("e2"))
    await finger.press(*await phone.point("e4"))
    await phone.sees("e4")
    await finger.lift()


async def test_a_finger_on_a_choice_that_lies_over_small_squares_names_none(seat):
    phone = await seat(**PHONE)
    await phone.challenge("grandhouse", fen="k9/10/10/10/10/10/10/10/10/9K[NPp] w - - 0 1")
    line = phone.page.locator("#board-says")
    idle = await line.text_content()
    finger = await Finger.of(phone)
    await finger.tap(*await phone.point("e5"))
    await expect(phone.page.locator(".choices:not(.shielded)")).to_be_visible()
    tile = await phone.page.get_by_role("menuitem", name="pawn").bounding_box()
    await finger.press(tile["x"] + tile["width"] / 2, tile["y"] + tile["height"] / 2)
    await laid_out(phone.page)
    await expect(line).to_have_text(idle)
    await finger.lift()
    await phone.sees("P@e5")
