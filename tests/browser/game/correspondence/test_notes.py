"""The note that a player of a correspondence game keeps for themselves."""

import pytest
from playwright.async_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

DAYS = {"kind": "correspondence", "days": 3}


async def test_a_note_is_kept_beside_a_game_on_a_phone_and_found_again(pair):
    white, black = await pair("chess", clock=DAYS)
    page, url = white.page, white.page.url
    await page.set_viewport_size({"width": 360, "height": 640})
    await page.click("#more > summary")
    await page.get_by_role("button", name="Your note").click()
    note = page.get_by_role("textbox", name="Your note")
    await expect(note).to_be_focused()
    await note.fill("Castle long.")
    await page.get_by_role("button", name="Save").click()
    await expect(page.locator("#note-status")).to_have_text("Saved.")
    assert (await page.get_by_role("button", name="Save").bounding_box())["height"] >= 44
    await page.keyboard.press("Escape")
    await expect(page.locator("#note")).to_be_hidden()
    await page.goto(url)
    await page.click("#more > summary")
    await page.get_by_role("button", name="Your note").click()
    await expect(note).to_have_value("Castle long.")
    await expect(black.page.locator("#note-text")).to_have_value("")
