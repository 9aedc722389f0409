"""The engine beside a game: never while it is played, and when it is over for whoever looks back."""

import re

import pytest
from playwright.async_api import expect

from tests.support.browser.analysing import tried
from tests.support.browser.engine import LINES, first_moves, switch_on
from tests.support.browser.player import all_write, begin
from tests.support.browser.screens import areas

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_it_can_be_asked_about_a_game_that_is_over_and_not_before(seat):
    white, black = await seat(), await seat()
    await begin(white, black, "crazyhouse")
    page = white.page
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    await all_write((white, black), "e4", "d5")
    await expect(page.locator("#engine")).to_be_hidden()
    await page.keyboard.press("e")
    await black.resign()
    await expect(page.locator("#engine")).to_be_visible()
    await expect(page.locator("#engine-on")).not_to_be_checked()
    assert [url for url in asked if "explain" in url] == []
    await switch_on(white, 1)
    await expect(page.locator(LINES)).to_have_count(1)
    await expect(page.locator(".eval-bar")).to_be_visible()
    await expect(page.locator("#engine").get_by_role("button", name="Report")).to_be_visible()
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator(LINES)).to_contain_text(re.compile(r"1\.\.\."))
    # So that the line stays as it is.
    await page.locator(f"{LINES} button").first.focus()
    (move,) = await first_moves(white)
    await page.locator(f"{LINES} button").first.click()
    await page.wait_for_url(re.compile(r"/analysis/crazyhouse#m=e2e4\."))
    await tried(white, "e4", move)


MANY_MOVES = [
    *("e3e5", "e8e6", "d3d4", "d8d7", "c3c4", "c8c7", "h3h4", "h8h7"),
    *("a1b1", "a10b10", "b1a1", "b10a10", "i3i4", "i8i7", "j3j4", "j8j7"),
]


async def test_its_switch_and_its_lines_stay_in_sight_beside_the_last_of_many_moves(seat):
    white, black = await seat(), await seat()
    await begin(white, black, "grandhouse")
    await all_write((white, black), *MANY_MOVES)
    await black.resign()
    page = white.page
    await expect(page.locator("#ending")).to_be_visible()
    for width, height in ((360, 740), (820, 1180), (1440, 900)):
        await page.set_viewport_size({"width": width, "height": height})
        for part in ("label:has(#engine-on)", "#engine-report"):
            await expect_within_the_panel(page, part)
        await switch_on(white, 3)
        await expect(page.locator(LINES)).to_have_count(3)
        for parts in (".engine-body", ".ply:has([aria-current='true'])"):
            await expect_within_the_panel(page, parts)
        (move,), (result,) = await areas(page, ".ply [aria-current='true']"), await areas(page, "#ending")
        assert move[3] <= result[1] or result[3] <= move[1] or move[2] <= result[0], (width, move, result)
        await page.uncheck("#engine-on")


async def expect_within_the_panel(page, parts):
    """All of each is in the panel's sight."""
    await expect(page.locator(parts).first).to_be_visible()
    (panel,), found = await areas(page, ".game-panel"), await areas(page, parts)
    for _, top, _, bottom in found:
        assert panel[1] - 1 <= top < bottom <= panel[3] + 1, (parts, panel, top, bottom)
