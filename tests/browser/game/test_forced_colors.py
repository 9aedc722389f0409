"""Where the system sets the colours, a board is still a board: squares, marks and choices can be told apart."""

from io import BytesIO

import pytest
from PIL import Image
from playwright.async_api import expect

from tests.support.browser.player import begin

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

FORCED = {"forced_colors": "active", "viewport": {"width": 1200, "height": 800}}


async def pictures(page, *squares):
    """What each of these empty or marked squares of a board seen from White's side looks like, without its edge."""
    image = Image.open(BytesIO(await page.locator("cg-board").screenshot())).convert("RGB")
    side = image.width / 8
    found = []
    for square in squares:
        left, top = (ord(square[0]) - ord("a")) * side, (8 - int(square[1])) * side
        found.append(
            image.crop((round(left + 2), round(top + 2), round(left + side - 2), round(top + side - 2))).tobytes()
        )
    return found


async def test_squares_marks_and_what_is_running_can_be_told_apart(seat):
    """White to move after 1 e4 d5, with the pawn on e4 in hand."""
    white, black = await seat(**FORCED), await seat()
    await begin(white, black, "chess")
    await white.click("e2", "e4")
    await black.click("d7", "d5")
    await white.sees("e4", "d5")
    await white.click("e4")
    await expect(white.page.locator("square.selected")).to_have_count(1)
    dark, light, other_light = await pictures(white.page, "c3", "c4", "d3")
    assert dark != light, "squares"
    assert light == other_light, "squares"
    plain_light, left, plain_dark, target = await pictures(white.page, "c4", "d7", "d4", "e5")
    assert left != plain_light, "the last move"
    assert target != plain_dark, "targets"
    for mark in (".turn .clock", ".ply [aria-current='true']", "[role=tab][aria-selected='true']"):
        style = await white.page.locator(mark).first.evaluate("each => getComputedStyle(each).outlineStyle")
        assert style == "solid", mark


async def test_what_is_chosen_on_the_front_page_is_outlined(seat):
    person = await seat(**FORCED)
    await person.page.goto(person.site)
    chosen = person.page.locator(".shelf-one:has(:checked)").first
    assert await chosen.evaluate("each => getComputedStyle(each).outlineStyle") == "solid"
