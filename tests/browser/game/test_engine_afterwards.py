"""The engine beside a game: never while it is played, and when it is over for whoever looks back."""

import re

import pytest
from playwright.async_api import expect

from tests.support.browser.analysing import tried
from tests.support.browser.engine import LINES, first_moves, switch_on
from tests.support.browser.player import all_write, begin

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
    report = page.locator("#engine").get_by_role("link", name="Report")
    await expect(report).to_have_attribute("href", re.compile(r"^/analysis/crazyhouse\?game=\w+#report$"))
    await page.keyboard.press("ArrowLeft")
    await expect(page.locator(LINES)).to_contain_text(re.compile(r"1\.\.\."))
    # So that the line stays as it is.
    await page.locator(f"{LINES} button").first.focus()
    (move,) = await first_moves(white)
    await page.locator(f"{LINES} button").first.click()
    await page.wait_for_url(re.compile(r"/analysis/crazyhouse#m=e2e4\."))
    await tried(white, "e4", move)
