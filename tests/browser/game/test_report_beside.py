"""The report of a game on its own page, made beside its moves when somebody asks for it there."""

import re

import pytest
from playwright.async_api import expect

from tests.support.browser.accessibility import audit_on_each_screen
from tests.support.browser.player import all_write, begin

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

FOOLS = ("e4", "e5", "Nf3", "Nc6", "Bc4", "Nf6", "Ng5", "a6", "Nxf7")
MADE = "#report .report-made"


async def test_a_game_that_is_over_has_its_report_beside_its_own_moves(seat):
    white, black = await seat(), await seat()
    await begin(white, black, "chess")
    page, asked = white.page, []
    page.on("request", lambda request: asked.append(request.url))
    await all_write((white, black), *FOOLS)
    await black.resign()
    button = page.locator("#engine-report")
    await expect(button).to_be_visible()
    assert not [url for url in asked if "report" in url or "worker-" in url]
    await button.click()
    await expect(page.locator(MADE)).to_be_visible()
    await expect(button).to_have_attribute("aria-expanded", "true")
    a6 = page.locator("#move-list button", has_text="a6")
    await expect(a6.locator(".glyph")).to_have_text(re.compile(r"^\?{1,2}$"))
    await expect(a6).to_have_accessible_name(re.compile(r"a6.*, (mistake|blunder)$"))
    await expect(page.locator("#report tbody tr").first).to_contain_text(re.compile(r"White\s*\d+ %"))
    # The graph leads to a move, and follows the board.
    graph = await page.locator(".report-graph").bounding_box()
    await page.mouse.click(graph["x"] + 1, graph["y"] + graph["height"] / 2)
    await expect(page.locator("#nav-prev")).to_be_disabled()
    await a6.click()
    await expect(page.locator(".graph-here")).to_have_attribute("style", re.compile(r"left: 88\.8"))
    whole = page.locator("#report").get_by_role("link")
    await expect(whole).to_have_attribute("href", re.compile(r"^/analysis/chess\?game=\w+#report$"))
    assert await audit_on_each_screen(page) == []
    # Its room can be given back to the moves, whose signs stay.
    await button.click()
    await expect(page.locator("#report")).to_be_hidden()
    await expect(a6.locator(".glyph")).to_be_visible()


async def test_who_plays_the_variant_by_the_minute_is_refused_it(seat):
    white, black = await seat(), await seat()
    await begin(white, black, "chess")
    await all_write((white, black), *FOOLS)
    await black.resign()
    over = white.page.url
    await begin(white, black, "chess")
    await all_write((white, black), "d4")
    await white.open(over)
    await white.page.click("#engine-report")
    await expect(white.page.locator("#report-state")).to_contain_text("playing")
    await expect(white.page.locator(MADE)).to_have_count(0)
    await expect(white.page.locator("#move-list .glyph")).to_have_count(0)
