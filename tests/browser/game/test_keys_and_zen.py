"""The list of keys opens over the page and gives the focus back; zen has a way out in sight, and ends with the game."""

import pytest
from playwright.async_api import expect

from tests.support.browser.accessibility import audit
from tests.support.browser.player import all_write, begin
from tests.support.browser.screens import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_the_keys_are_a_list_that_escape_closes_and_the_focus_is_where_it_was(pair):
    white, _ = await pair("chess")
    page = white.page
    told = []
    page.on("console", lambda message: told.append(message.text))
    await page.reload()
    await expect(page.locator("#board cg-board")).to_be_visible()
    keys = page.get_by_role("dialog", name="Keys")
    await page.focus("#board")
    await page.keyboard.press("?")
    await expect(keys.get_by_role("heading", name="Keys", exact=True)).to_be_focused()
    assert await keys.locator("dt kbd").count() >= 15
    await expect(keys.locator("dd", has_text="flip the board")).to_be_visible()
    assert await audit(page) == []
    await page.keyboard.press("Escape")
    await expect(keys).to_be_hidden()
    await expect(page.locator("#board")).to_be_focused()
    await page.get_by_role("button", name="By keyboard").click()
    await keys.get_by_role("button", name="Close").click()
    await expect(keys).to_be_hidden()
    assert [words for words in told if "Playwright" not in words] == []


async def test_the_keys_opened_from_an_open_menu_close_it_and_the_focus_returns_to_it(pair):
    white, _ = await pair("chess")
    page = white.page
    await white.open_more()
    await page.focus("#sound")
    await page.keyboard.press("?")
    await expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    await expect(page.locator("#more[open]")).to_have_count(0)
    await page.keyboard.press("Escape")
    await expect(page.locator("#more > summary")).to_be_focused()


async def test_who_comes_to_play_is_a_key_from_the_board_and_escape_leaves_the_field_of_moves_for_it(pair):
    white, _ = await pair("chess")
    page, field = white.page, white.page.locator("#move-text")
    await page.keyboard.press("Tab")
    await expect(page.locator("#board")).to_be_focused()
    await white.look_at("moves")
    await field.fill("e9")
    await field.press("Enter")
    await expect(page.locator("#move-problem")).not_to_be_empty()
    await field.press("Escape")
    await expect(field).to_have_value("")
    await expect(page.locator("#move-problem")).to_be_empty()
    await expect(field).to_be_focused()
    await field.press("Escape")
    await expect(page.locator("#board")).to_be_focused()


async def test_zen_has_a_way_out_in_sight_and_shows_the_names_once_the_game_is_over(seat):
    white, black = await seat(**PHONE), await seat()
    await begin(white, black, "crazyhouse")
    await all_write((white, black), "e4", "e5")
    name, out = white.page.locator("#seat-top .seat-name"), white.page.get_by_role("button", name="Leave zen")
    await expect(out).to_be_hidden()
    for leave in (True, False):
        await white.open_more()
        await white.page.click("#zen")
        await expect(name).to_be_hidden()
        await expect(out).to_be_in_viewport(ratio=1)
        if leave:
            await out.click()
            await expect(name).to_be_visible()
            await expect(white.page.get_by_role("tab", name="Chat")).to_be_visible()
    await black.has(2)
    await black.resign()
    await expect(name).to_be_visible()
    await expect(out).to_be_hidden()
    await expect(white.page.get_by_role("tab", name="Chat")).to_be_visible()
    await white.open_more()
    await expect(white.page.locator("#zen")).to_be_hidden()
