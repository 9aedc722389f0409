"""Comments and glyphs that somebody writes at the analysis board."""

import re

import pytest
from playwright.async_api import expect

from tests.support.browser.analysing import tried

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def annotate(page, glyph, comment):
    if not await page.locator("#comment").is_visible():
        await page.locator("#annotate summary").click()
        await expect(page.locator("#comment")).to_be_focused()
    await page.get_by_role("button", name=glyph, exact=True).click()
    await page.fill("#comment", comment)
    await page.locator("#comment").blur()


async def pgn(page):
    await page.click("#share-open")
    text = await page.locator("#share-pgn").input_value()
    await page.keyboard.press("Escape")
    return text


async def test_what_is_written_on_moves_is_shown_passed_on_and_undone(analyst):
    anna = await analyst("chess")
    page, tree = anna.page, anna.page.locator("#tree")
    for move in ("e4", "e5", "f4"):
        await anna.write(move)
    await tried(anna, "e4", "e5", "f4")
    await annotate(page, "Interesting move", "The King's Gambit.")
    await expect(tree.locator("[aria-current]")).to_have_text("2.f4!?")
    await expect(tree).to_contain_text("The King's Gambit.")
    await page.locator("#tree").get_by_role("button", name="e4").click()
    await expect(page.locator("#comment")).to_have_value("")
    await page.keyboard.press("c")
    await expect(page.locator("#comment")).to_be_focused()
    await page.keyboard.type("Best by test")
    await tree.get_by_role("button", name="e5").click()
    await expect(tree).to_contain_text("Best by test")
    assert "1. e4 { Best by test } 1... e5 2. f4 $5 { The King's Gambit. } *" in " ".join((await pgn(page)).split())
    await page.click("#takeback")
    await expect(tree).not_to_contain_text("Best by test")
    await expect(tree).to_contain_text("The King's Gambit.")


async def test_what_was_written_is_there_when_the_page_is_loaded_anew(analyst):
    anna = await analyst("crazyhouse")
    page, tree = anna.page, anna.page.locator("#tree")
    for move in ("e4", "d5", "exd5"):
        await anna.write(move)
    await tried(anna, "e4", "d5", "exd5")
    await tree.get_by_role("button", name="d5", exact=True).first.click()
    await expect(page).to_have_url(re.compile(r"#m=.*p=2$"))
    await annotate(page, "Mistake", "A pawn in hand is worth two.")
    await page.reload()
    await tried(anna, "e4", "d5", "exd5")
    await expect(tree).to_contain_text("A pawn in hand is worth two.")
    await expect(tree.locator("[aria-current]")).to_contain_text("d5?")
    await expect(page.locator("#comment")).to_have_value("A pawn in hand is worth two.")
