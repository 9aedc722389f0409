"""Where a piece goes, asked by a resting pointer or a long press: in a game, and wherever else a board can be tried."""

import pytest
from playwright.async_api import expect

from tests.support.browser.finger import Finger
from tests.support.browser.player import all_make, meet
from tests.support.browser.screens import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MIDDLE_OF = """async ([place, file, rank]) => {
    const board = [...document.querySelectorAll(`${place} cg-board`)].find(each => each.offsetParent);
    board.scrollIntoView({block: 'center', behavior: 'instant'});
    await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
    const area = board.getBoundingClientRect(), side = area.width / 8;
    return [area.x + (file - 0.5) * side, area.bottom - (rank - 0.5) * side];
}"""


def reached(player):
    return player.page.locator(".square-reach:not(.start):visible")


async def test_a_resting_pointer_shows_where_any_piece_goes(pair):
    white, _ = await pair("shouse")
    line = white.page.locator("#board-says")
    idle = await line.inner_text()
    for square, words, reach in (("b1", "white knight", 2), ("b8", "black knight", 2), ("e1", "white king", 0)):
        await white.page.mouse.move(*await white.point(square))
        await expect(line).to_contain_text(words, ignore_case=True)
        await expect(reached(white)).to_have_count(reach)
    await white.page.hover("#pocket-bottom piece[data-role='h-piece']")
    await expect(line).to_contain_text("hawk", ignore_case=True)
    await white.page.mouse.move(*await white.point("e5"))
    await expect(line).to_have_text(idle, use_inner_text=True)


async def test_whose_turn_it_is_stays_beside_what_the_piece_under_the_pointer_can_do(pair):
    white, _ = await pair("chess")
    line, turn = white.page.locator("#board-says"), white.page.locator("#turn")
    controls = white.page.locator("#controls")
    place = await controls.bounding_box()
    await white.page.mouse.move(*await white.point("g1"))
    await expect(line).not_to_be_empty()
    await expect(turn).to_be_visible()
    await expect(turn).to_contain_text("Your turn")
    assert await controls.bounding_box() == place


async def test_whoever_presses_a_piece_that_cannot_move_is_told_why(pair):
    white, black = await pair("chess")
    await white.page.mouse.click(*await white.point("a1"))
    await expect(white.page.locator("#board-says")).to_have_text("This piece cannot move now.")
    await all_make((white, black), "e2e4", "f7f6", "d1h5")
    await black.page.mouse.click(*await black.point("a7"))
    await expect(black.page.locator("#board-says")).to_have_text("You are in check: this piece cannot help.")
    await black.page.mouse.click(*await black.point("g7"))
    await expect(black.page.locator("#board-says")).not_to_contain_text("in check")
    await white.page.mouse.click(*await white.point("a2"))
    await expect(white.page.locator("#board-says")).not_to_contain_text("cannot")


async def test_a_long_press_shows_it_in_a_game_and_the_words_stay_to_be_read(seat):
    white, black = await seat(), await seat(**PHONE)
    await black.open(await meet(white, black, "chess"))
    finger = await Finger.of(black)
    for square, words in (("g8", "black knight"), ("g1", "white knight")):
        await finger.press(*await black.point(square))
        await expect(reached(black)).to_have_count(2)
        await finger.lift()
        await expect(reached(black)).to_have_count(0)
        await expect(black.page.locator("#board-says")).to_contain_text(words, ignore_case=True)


@pytest.mark.parametrize(("path", "place"), [("/#chess", "#boards"), ("/rules/chess#try", "#try-board")])
async def test_a_long_press_on_ones_own_piece_shows_it_where_one_tries_a_variant(seat, path, place):
    player = await seat(**PHONE)
    await player.page.goto(player.site + path)
    await expect(player.page.locator(f"{place} cg-board:visible")).to_have_count(1)
    finger = await Finger.of(player)
    await finger.press(*await player.page.evaluate(MIDDLE_OF, [place, 7, 1]))
    await expect(reached(player)).to_have_count(2)
    await finger.lift()
    await expect(reached(player)).to_have_count(0)


async def test_the_words_do_not_outlast_the_game_nor_the_time_to_read_them(seat):
    white, black = await seat(), await seat(**PHONE)
    await black.open(await meet(white, black, "chess"))
    line, finger = black.page.locator("#board-says"), await Finger.of(black)
    await black.page.clock.install()
    for end in (lambda: black.page.clock.fast_forward(6_000), lambda: black.page.click("#abort")):
        await finger.press(*await black.point("g8"))
        await black.page.clock.run_for(600)
        await expect(line).to_contain_text("knight", ignore_case=True)
        await finger.lift()
        await expect(line).to_contain_text("knight", ignore_case=True)
        await end()
        await expect(line).not_to_contain_text("knight", ignore_case=True)
