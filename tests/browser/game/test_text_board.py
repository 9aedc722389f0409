"""The board for those who do not see it: its table of words, what a pocket says, and what the keyboard picks up."""

import pytest
from playwright.async_api import expect

from tests.support.browser.player import all_make

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def tree(page, selector):
    """What assistive technology is told of that part of the page."""
    return await page.locator(selector).aria_snapshot()


async def test_every_rank_and_file_of_the_board_in_words_has_its_header(seat):
    white = await seat()
    await white.challenge("grand")
    board = white.page.locator("#text-board")
    await expect(board.get_by_role("columnheader")).to_have_count(1 + 10)
    await expect(board.get_by_role("rowheader")).to_have_count(10)


async def test_the_board_in_words_says_which_squares_win(seat):
    person = await seat()
    await person.challenge("kingofthehill")
    for path in ("", "/analysis/kingofthehill", "/computer/offline/kingofthehill"):
        if path:
            await person.page.goto(f"{person.site}{path}")
        said = person.page.locator("#text-board p")
        await expect(said).to_have_text("A side wins at once when its king reaches d4, e4, d5 or e5.")


async def test_the_board_in_words_counts_a_pocket_without_a_wrong_plural(pair):
    white, black = await pair("crazyhouse")
    await all_make((white, black), "e2e4", "d7d5", "e4d5", "c7c6", "d5c6")
    await expect(black.page.locator("#text-board")).to_contain_text("pawn (2)")


async def test_pieces_that_may_gate_are_told_of_in_words(pair):
    white, black = await pair("seirawan")
    page = white.page
    assert "1 1" not in await tree(page, "#pocket-bottom"), "numbers are read out without their pieces"
    await white.click("b1", "c3")
    await white.choose("No piece")
    await white.sees("Nc3")
    for person in (white, black):
        await expect(person.page.locator("#text-board")).to_contain_text(
            "White may still gate on: a1, c1, d1, e1, f1, g1, h1."
        )
