"""Where a game against the computer is chosen: the position that it begins from stands beside the form."""

import pytest
from playwright.async_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

LOADED = "picture => picture.decode().then(() => [picture.naturalWidth, picture.naturalHeight])"


async def test_a_wide_window_shows_the_position_that_the_game_begins_from(seat):
    somebody = await seat(viewport={"width": 1440, "height": 900})
    page = somebody.page
    await page.goto(f"{somebody.site}/computer")
    board = page.locator("#computer-board")
    await expect(board).to_be_in_viewport(ratio=1)
    width, height = await board.evaluate(LOADED)
    assert width == height
    seen = [await board.get_attribute("src")]
    for variant in ("chess960", "capablanca", "acedrex"):
        await page.select_option("select[name=variant]", variant)
        width, height = await board.evaluate(LOADED)
        assert (width > height) == (variant == "capablanca")
        seen.append(await board.get_attribute("src"))
        await expect(board).to_be_in_viewport(ratio=1)
    await page.check("input[name=color][value=black]", force=True)
    seen.append(await board.get_attribute("src"))
    await board.evaluate(LOADED)
    assert len(set(seen)) == len(seen)
    await page.set_viewport_size({"width": 360, "height": 740})
    await expect(board).to_be_hidden()


async def test_its_time_is_told_of_only_where_there_is_a_clock(seat):
    somebody = await seat()
    page = somebody.page
    await page.goto(f"{somebody.site}/computer")
    help_text = page.get_by_text("Its own time never runs out")
    await expect(help_text).to_be_hidden()
    await page.locator(".chip:has(input[name=clock][value='300+3'])").click()
    await expect(help_text).to_be_visible()
