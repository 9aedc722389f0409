"""Nothing on a page with a board moves while the page loads, however late its scripts come."""

import asyncio

import pytest
from playwright.async_api import expect

from tests.support.browser.layout_shifts import SCREENS, SETTLED, WATCH, late_scripts, shifts

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

PAGES = {
    "/": "cg-board",
    "/watch": "#watch-empty:not([hidden])",
    "/analysis/chess": "cg-board",
    "/analysis/grandhouse": "cg-board",
    "/analysis/acedrex": "cg-board",
    "/rules/seirawan": "#try-board cg-board",
    "/rules/shogun": "#try-board cg-board",
}
"""Each page, and what is there when it is complete."""


HALF_A_PART = """whole => {
    const parts = [...document.querySelectorAll(`${whole} > *`)];
    const shown = part => part.checkVisibility({ visibilityProperty: true }) && part.getBoundingClientRect().width > 0;
    const place = part => [part.getBoundingClientRect().x, part.getBoundingClientRect().y].join();
    const parents = new Map(parts.map(part => [part, part.parentElement]));
    const places = new Map(parts.map(part => [part, place(part)])), moved = [];
    for (let left = parts.length - 1; left > 0; left--) {
        parts[left].remove();
        for (const part of parts.slice(0, left))
            if (shown(part) && place(part) !== places.get(part)) moved.push(`${part.id || part.className} ${left}`);
    }
    for (const part of parts.slice(1)) parents.get(part).append(part);
    return moved;
}"""
"""Takes its children away, the last first, as if they had not come: which of the rest move, and how many are left.
Gives them back in the end, as the page's scripts look for them later."""


async def test_the_head_of_a_page_stands_still_while_the_rest_of_it_arrives(seat):
    page = (person := await seat()).page
    for width, height in SCREENS[1:]:
        await page.set_viewport_size({"width": width, "height": height})
        for path in ("/", "/analysis/chess"):
            await page.goto(f"{person.site}{path}")
            assert await page.evaluate(HALF_A_PART, ".site-head") == [], (path, width)


async def test_the_parts_of_a_page_have_their_places_before_the_next_have_come(seat):
    page = (person := await seat()).page
    for width, height in SCREENS:
        await page.set_viewport_size({"width": width, "height": height})
        for path, whole in (("/", ".home-parts"), ("/", "#new-game"), ("/rules/seirawan", ".opening")):
            await page.goto(f"{person.site}{path}")
            assert await page.evaluate(HALF_A_PART, whole) == [], (path, whole, width)


async def test_a_head_without_scripts_has_room_for_nothing_that_needs_them(seat):
    page = (reader := await seat(java_script_enabled=False)).page
    await page.goto(f"{reader.site}/analysis/chess")
    head = page.locator(".site-head")
    for width, height in SCREENS[1:]:
        await page.set_viewport_size({"width": width, "height": height})
        parts = (".site-title", "#settings-link", ".menu-button")
        title, settings, menu = [await head.locator(part).bounding_box() for part in parts]
        assert 0 <= settings["x"] - (title["x"] + title["width"]) < menu["width"], width
        assert 0 <= menu["x"] - (settings["x"] + settings["width"]) < menu["width"], width
        assert menu["x"] + menu["width"] > width - menu["width"], width


async def test_nothing_moves_while_a_page_with_a_board_loads(seat):
    person = await seat()
    games = {}
    for variant in ("chess", "seirawan", "grandhouse"):
        await person.challenge(variant)
        games["/" + person.page.url.rsplit("/", 1)[1]] = "#invite"
    await late_scripts(person.page)
    moved = {}
    for width, height in SCREENS:
        await person.page.set_viewport_size({"width": width, "height": height})
        for page in (PAGES | games).items():
            if found := await shifts(person, *page):
                moved[page[0], width] = found
    assert moved == {}


async def test_a_stranger_reads_how_a_game_is_played_before_its_script_has_come_and_nothing_moves_then(seat):
    maker, stranger = await seat(), await seat(viewport={"width": 360, "height": 740})
    page, come = stranger.page, asyncio.Event()

    async def once_told(route):
        await come.wait()
        await route.continue_()

    await page.add_init_script(f"({WATCH})()")
    await page.route("**/round-*.js", once_told)
    for variant in ("seirawan", "grandhouse"):
        come.clear()
        link = await maker.challenge(variant)
        await page.goto(link.partition("#")[0], wait_until="commit")
        await expect(page.locator("#rules .differences")).to_be_visible()
        await expect(page.locator("cg-board")).to_have_count(0)
        come.set()
        await expect(page.locator("cg-board")).to_be_visible()
        await page.evaluate(SETTLED)
        assert await page.evaluate("shifts") == [], variant
    # Above it comes what a link offers.
    come.clear()
    await page.goto(await maker.challenge("chess"), wait_until="commit")
    await expect(page.locator("#rules .differences")).to_be_attached()
    await expect(page.locator("#rules .differences")).to_be_hidden()
    come.set()
    await expect(page.locator("#join")).to_be_visible()
