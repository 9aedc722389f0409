"""Every part of the site is one press away on reading pages, and two behind the menu of a phone."""

import itertools

import pytest
from playwright.async_api import expect

from tests.support.browser.player import fill_in
from tests.support.browser.screens import assert_no_sideways_scroll

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PLACES = [
    "/",
    "/tournaments",
    "/computer",
    "/puzzles",
    "/rules",
    "/analysis",
    "/studies",
    "/watch",
    "/games",
    "/players",
]
LONGEST_NAME = "Wolfeschlegelstein20"


@pytest.mark.parametrize(("width", "height"), [(360, 640), (640, 360)])
async def test_the_menu_of_a_phone_has_all_of_them(seat, width, height):
    player = await seat(viewport={"width": width, "height": height})
    page = player.page
    await page.goto(f"{player.site}/puzzles")
    await page.click(".menu-button")
    links = page.locator("#site-nav a")
    assert [await one.get_attribute("href") for one in await links.all()][:-1] == PLACES
    await expect(page.locator("#site-nav [aria-current]")).to_have_attribute("href", "/puzzles")
    for one in await links.all():
        await one.scroll_into_view_if_needed()
        await expect(one).to_be_in_viewport(ratio=1)
        assert (await one.bounding_box())["height"] >= 44
    await page.locator("#site-nav a[href='/computer']").click()
    await expect(page).to_have_url(f"{player.site}/computer")


@pytest.mark.parametrize("locale", ["en-GB", "es-ES"])
@pytest.mark.parametrize("width", [1200, 1440])
async def test_a_row_has_all_of_them_also_beside_a_long_name(seat, locale, width):
    player = await seat(viewport={"width": width, "height": 800}, locale=locale)
    page = player.page
    await fill_in(player, "/register", LONGEST_NAME)
    await expect(page.locator(".nav-account")).to_contain_text(LONGEST_NAME)
    for path in ("/rules", "/players"):
        await page.goto(f"{player.site}{path}")
        for one in await page.locator(".site-nav a").all():
            await expect(one).to_be_in_viewport(ratio=1)
        ends = await page.evaluate(
            "[...document.querySelectorAll('.site-head > *, .site-nav > *')].map(one => one.getBoundingClientRect())"
            ".filter(({ width }) => width > 0).map(({ left, right }) => [left, right])"
            ".sort(([one], [other]) => one - other)"
        )
        assert all(one[1] <= other[0] + 1 for one, other in itertools.pairwise(ends)), ends
        await assert_no_sideways_scroll(page)


SHORT = [path for path in PLACES if path not in ("/tournaments", "/computer", "/puzzles", "/studies")]


@pytest.mark.parametrize("locale", ["en-GB", "es-ES"])
@pytest.mark.parametrize("width", [760, 820, 1024])
async def test_a_tablet_has_a_row_of_most_and_a_menu_of_all(seat, locale, width):
    player = await seat(viewport={"width": width, "height": 1180}, locale=locale)
    page = player.page
    await fill_in(player, "/register", LONGEST_NAME)
    for path in ("/rules", "/players"):
        await page.goto(f"{player.site}{path}")
        row = await page.locator(".site-nav a:visible").all()
        assert [await one.get_attribute("href") for one in row] == SHORT
        parts = [*row, page.locator(".brand"), page.locator("#settings-link"), page.locator(".menu-button")]
        for one in parts:
            await expect(one).to_be_in_viewport(ratio=1)
        ends = sorted((box["x"], box["x"] + box["width"]) for box in [await one.bounding_box() for one in parts])
        assert all(one[1] <= other[0] + 1 for one, other in itertools.pairwise(ends)), ends
        await assert_no_sideways_scroll(page)
        await page.click(".menu-button")
        await expect(page.locator(".site-nav a:visible")).to_have_count(len(PLACES) + 1)
        await page.keyboard.press("Escape")
        await expect(page.locator(".site-nav a:visible")).to_have_count(len(SHORT))


async def test_beside_the_board_of_a_game_its_name_keeps_its_room(seat):
    player = await seat(viewport={"width": 1280, "height": 800})
    await player.challenge("grandhouse")
    await expect(player.page.locator("#terms")).to_be_in_viewport(ratio=1)
    await expect(player.page.locator(".site-nav a[href='/rules']")).to_be_visible()
    await expect(player.page.locator(".site-nav a[href='/studies']")).to_be_hidden()


async def test_who_has_not_played_the_computer_is_offered_the_first_level(seat):
    player = await seat()
    await player.page.goto(f"{player.site}/computer")
    await expect(player.page.locator("input[name=level][value='1']")).to_be_checked()
    await expect(player.page.locator("main")).to_contain_text("960: the pieces of the first rank")


async def test_a_game_that_waits_takes_the_place_of_no_link_on_which_keys_are(seat, pair):
    """A tablet has no room for all of them and the game."""
    white, black = await pair("chess", clock={"kind": "correspondence", "days": 3})
    page = black.page
    await page.set_viewport_size({"width": 820, "height": 1180})
    await page.goto(f"{black.site}/rules")
    await expect(page.locator("#waiting-strip")).to_be_hidden()
    watch = page.locator(".site-nav a[href='/watch']")
    await watch.focus()
    await white.write("e4")
    await white.confirm()
    await expect(page.locator("#waiting-strip")).to_be_visible()
    await expect(page.locator(".site-nav a[href='/games']")).to_be_hidden()
    await expect(watch).to_be_visible()
    await expect(watch).to_be_focused()
