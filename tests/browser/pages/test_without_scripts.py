"""A game and the analysis board in a browser that runs no scripts: what is there is true, and nothing is dead."""

import pytest
from playwright.async_api import expect

from tests.support.browser.player import all_see
from tests.support.browser.screens import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
SCREENS = pytest.mark.parametrize(
    "screen", [PHONE, {"viewport": {"width": 1440, "height": 900}}], ids=["phone", "desktop"]
)
NEEDS_SCRIPT = "main :is(button:not([name=language]), input:not([type=hidden]), textarea, select, [role=application])"


async def opened(seat, address, screen):
    reader = await seat(java_script_enabled=False, **screen)
    await reader.page.goto(address)
    return reader.page


async def assert_nothing_is_dead(page, width):
    for each in await page.locator(NEEDS_SCRIPT).all():
        await expect(each).to_be_hidden()
    for part in await page.locator("main > :visible, main :is(h2, p, dl, ol, img):visible").all():
        box = await part.bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width, (await part.inner_html(), box)


@SCREENS
async def test_a_finished_game_is_shown_as_it_ended(pair, seat, screen):
    white, black = await pair("crazyhouse")
    await white.write("e4")
    await all_see((white, black), "e4")
    await black.write("e5")
    await all_see((white, black), "e4", "e5")
    names = [await white.page.locator(f"#seat-{place} .seat-name").inner_text() for place in ("bottom", "top")]
    await white.resign()
    await expect(black.page.locator("#result")).not_to_be_empty()
    page = await opened(seat, white.page.url, screen)
    text = await page.locator("main").inner_text()
    for told in (*names, "0-1", "e4", "e5", "Playing needs JavaScript"):
        assert told in text
    assert "No moves yet" not in text
    picture = page.locator("main img:visible")
    await expect(picture).to_have_count(1)
    await expect(picture).to_have_attribute("src", f"/{white.page.url.rsplit('/')[-1]}/board.svg?ply=2")
    assert (await picture.bounding_box())["width"] > 200
    await expect(page.locator("main a[href$='.pgn']:visible")).to_have_count(1)
    await assert_nothing_is_dead(page, screen["viewport"]["width"])


@SCREENS
async def test_a_running_game_is_shown_as_it_stands(pair, seat, screen):
    white, black = await pair("grandhouse")
    await white.write("e5")
    await all_see((white, black), "e5")
    names = [await white.page.locator(f"#seat-{place} .seat-name").inner_text() for place in ("bottom", "top")]
    page = await opened(seat, white.page.url, screen)
    text = await page.locator("main").inner_text()
    for told in (*names, "Grandhouse", "move 1", "Playing needs JavaScript"):
        assert told in text
    picture = page.locator("main img:visible")
    await expect(picture).to_have_count(1)
    await expect(picture).to_be_in_viewport()
    assert (await picture.bounding_box())["width"] > 200
    await assert_nothing_is_dead(page, screen["viewport"]["width"])


@SCREENS
async def test_the_analysis_board_says_first_that_it_needs_scripts(seat, host, screen):
    page = await opened(seat, f"{host.site}/analysis/grandhouse", screen)
    assert (await page.locator("main").inner_text()).startswith("The analysis board needs JavaScript.")
    await expect(page.locator("main img:visible")).to_have_count(1)
    await assert_nothing_is_dead(page, screen["viewport"]["width"])
