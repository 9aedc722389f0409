"""A game and the analysis board in a browser that runs no scripts: what is there is true, and nothing is dead."""

from contextlib import asynccontextmanager

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.support.browser.screens import PHONE
from tests.support.web.people import play

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
SCREENS = [PHONE["viewport"], {"width": 1440, "height": 900}]
NEEDS_SCRIPT = "main :is(button:not([name=language]), input:not([type=hidden]), textarea, select, [role=application])"


async def opened(seat, address):
    reader = await seat(java_script_enabled=False, **PHONE)
    await reader.page.goto(address)
    return reader.page


async def assert_nothing_is_dead(page):
    for each in await page.locator(NEEDS_SCRIPT).all():
        await expect(each).to_be_hidden()
    width = page.viewport_size["width"]
    for part in await page.locator("main > :visible, main :is(h2, p, dl, ol, img):visible").all():
        box = await part.bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width, (await part.inner_html(), box, width)


@pytest_asyncio.fixture(loop_scope="session")
async def game(off_screen):
    """Two people at a game, and what it is called: `async with game(variant) as (white, black, told)`."""
    white, black = await off_screen(), await off_screen()

    @asynccontextmanager
    async def begun(variant):
        made = await white.challenge(variant=variant)
        await black.join(made)
        async with white.follow(made) as one, black.follow(made) as other:
            yield one, other, (await white.get(f"/api/games/{made['id']}"))

    return begun


async def test_a_finished_game_is_shown_as_it_ended(game, seat, host):
    async with game("crazyhouse") as (white, black, told):
        await play((white, black), ["e2e4", "e7e5"])
        await white.send({"t": "resign", "id": 9})
        await black.until("over")
    page = await opened(seat, f"{host.site}/{told['id']}")
    for screen in SCREENS:
        await page.set_viewport_size(screen)
        text = await page.locator("main").inner_text()
        for words in (told["white"]["name"], told["black"]["name"], "0-1", "e4", "e5", "Playing needs JavaScript"):
            assert words in text
        assert "No moves yet" not in text
        picture = page.locator("main img:visible")
        await expect(picture).to_have_count(1)
        await expect(picture).to_have_attribute("src", f"/{told['id']}/board.svg?ply=2")
        assert (await picture.bounding_box())["width"] > 200, screen
        await expect(page.locator("main a[href$='.pgn']:visible")).to_have_count(1)
        await assert_nothing_is_dead(page)


async def test_a_running_game_is_shown_as_it_stands(game, seat, host):
    async with game("grandhouse") as (white, black, told):
        await play((white, black), ["e3e5"])
        page = await opened(seat, f"{host.site}/{told['id']}")
    for screen in SCREENS:
        await page.set_viewport_size(screen)
        text = await page.locator("main").inner_text()
        for words in (told["white"]["name"], told["black"]["name"], "Grandhouse", "move 1", "Playing needs JavaScript"):
            assert words in text
        picture = page.locator("main img:visible")
        await expect(picture).to_have_count(1)
        await expect(picture).to_be_in_viewport()
        assert (await picture.bounding_box())["width"] > 200, screen
        await assert_nothing_is_dead(page)


async def test_the_analysis_board_says_first_that_it_needs_scripts(seat, host):
    page = await opened(seat, f"{host.site}/analysis/grandhouse")
    for screen in SCREENS:
        await page.set_viewport_size(screen)
        assert (await page.locator("main").inner_text()).startswith("The analysis board needs JavaScript.")
        await expect(page.locator("main img:visible")).to_have_count(1)
        await assert_nothing_is_dead(page)
