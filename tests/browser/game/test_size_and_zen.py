"""How large the board of a game is, and zen, which leaves only the game: as chosen, from the first picture on."""

import pytest
from playwright.async_api import expect

from tests.support.browser.layout_shifts import SCREENS, late_scripts, shifts
from tests.support.browser.screens import boxes
from tests.support.browser.settings import settings

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_the_board_of_a_game_is_as_large_as_chosen_at_once_and_nothing_moves_while_it_loads(seat):
    person = await seat(viewport={"width": 1440, "height": 900})
    await person.challenge("chess")
    game = person.page.url.removeprefix(person.site)
    tab = await settings(person)
    widths = []
    for size in ("100", "75", "50"):
        if size != "100":
            await tab.locator("[name=size]").fill(size)
            await expect(person.page.locator("html")).to_have_attribute("data-size", size)
        widths.append((await boxes(person.page, "#board cg-board"))["#board cg-board"]["width"])
    assert [round(width / widths[0], 1) for width in widths] == [1, 0.7, 0.5], widths
    await late_scripts(person.page)
    moved = {}
    for width, height in SCREENS:
        await person.page.set_viewport_size({"width": width, "height": height})
        if found := await shifts(person, game, "#invite"):
            moved[width] = found
    assert moved == {}
    await person.click("e2", "e4")
    await person.sees("e4")


async def test_zen_leaves_the_board_the_clocks_and_the_moves(pair):
    white, black = await pair("chess")
    await white.write("e4")
    await black.sees("e4")
    page = black.page
    place = await page.locator("#board").bounding_box()
    gone = [page.locator(part) for part in (".site-nav", "#tabs", ".seat-top .seat-name", ".terms")]
    for each in gone:
        await expect(each).to_be_visible()
    await page.locator("#tab-chat").click()
    await page.locator("#tab-chat").evaluate("each => each.blur()")
    async with page.expect_response("**/settings"):
        await page.keyboard.press("z")
    await expect(page.locator("html")).to_have_attribute("data-zen", "on")
    for each in gone:
        await expect(each).to_be_hidden()
    for part in ("#board cg-board", "#clock-top", "#clock-bottom", "#move-list", "#settings-link", "#abort"):
        await expect(page.locator(part)).to_be_visible()
    assert await page.locator("#board").bounding_box() == place, "nothing has moved"
    await page.reload()
    await expect(page.locator("#move-list")).to_contain_text("e4")
    for each in gone:
        await expect(each).to_be_hidden()
    await page.locator("#more summary").click()
    await expect(page.locator("#zen")).to_have_attribute("aria-pressed", "true")
    await page.locator("#zen").click()
    for each in gone:
        await expect(each).to_be_visible()
    assert white.problems == []


async def test_a_mouse_makes_the_board_smaller_by_its_corner_and_it_stays_so(seat):
    person = await seat(viewport={"width": 1440, "height": 900})
    await person.challenge("chess")
    page = person.page
    board = page.locator("#board cg-board")
    before = await board.bounding_box()
    handle = await page.locator(".size-handle").bounding_box()
    x, y = handle["x"] + 16, handle["y"] + 16
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x - 0.3 * before["width"], y)
    await expect(page.locator("html")).to_have_attribute("data-size", "70")
    async with page.expect_response(lambda answer: answer.url.endswith("/settings")):
        await page.mouse.up()
    await page.mouse.move(x, y)
    await expect(page.locator("html")).to_have_attribute("data-size", "70")
    after = (await boxes(page, "#board cg-board"))["#board cg-board"]
    assert abs(after["width"] / before["width"] - 0.7) < 0.02
    assert (after["x"], after["y"]) == (before["x"], before["y"])
    await person.click("e2", "e4")
    await person.sees("e4")
    pawn = await page.evaluate(
        """() => [...document.querySelectorAll('#board piece.p-piece.white:not(.ghost)')]
            .map(each => each.getBoundingClientRect().y)"""
    )
    assert min(pawn) == pytest.approx(after["y"] + after["height"] / 2, abs=3), (
        "the pieces stand on the smaller squares"
    )
    await page.reload()
    await expect(board).to_be_visible()
    assert (await boxes(page, "#board cg-board"))["#board cg-board"] == after
