"""What a game that is over leaves: the result once and whole, the moves beside it, ways on, and nothing that moves."""

import re

import pytest
from playwright.async_api import expect

from tests.support.browser.phone import CUT_OFF
from tests.support.browser.player import all_write, begin
from tests.support.browser.screens import PHONE, areas, laid_out

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

WINDOWS = [(360, 740), (600, 960), (820, 1180), (1024, 640), (740, 360), (1366, 768)]
MOVES = ["e3e5", "e8e6", "d3d4", "d8d7", "c3c4", "c8c7", "h3h4", "h8h7"]
PRESSED = "#controls > .control, #controls summary, #replay > *, .result-ways > *, #tabs > button, #seat-bottom"


async def resigned(seat, variant, moves, **screen):
    """White at that screen, and Black, who has resigned after those moves."""
    white, black = await seat(**screen), await seat()
    await begin(white, black, variant)
    await all_write((white, black), *moves)
    await black.resign()
    await expect(white.page.locator("#ending")).to_be_visible()
    return white, black


async def test_the_result_says_once_who_won_and_is_whole_in_both_languages(seat):
    white, _ = await resigned(seat, "grandhouse", MOVES, **PHONE)
    page = white.page
    for language, won in (("English", "You won"), ("Español", "Has ganado")):
        button = page.locator(".languages button", has_text=language)
        if not await button.get_attribute("aria-current"):
            await white.look_at("rules")
            await button.click()
        await expect(page.locator("#ending-title")).to_have_text(won)
        await expect(page.locator("#result")).not_to_contain_text(won)
        for width, height in [*WINDOWS, (667, 375)]:
            await page.set_viewport_size({"width": width, "height": height})
            await laid_out(page)
            whole = "#ending, #ending-title, #result, .result-ways > *, #replay button, #controls .control"
            assert await page.evaluate(CUT_OFF, [whole, width]) == [], (language, width)
            (panel,), (card,), *ways = [await areas(page, each) for each in (".panel", "#ending", ".result-ways > *")]
            assert panel[0] <= card[0], (language, width)
            assert panel[1] - 1 <= card[1], (language, width)
            for left, top, right, bottom in ways[0]:
                assert card[0] <= left < right <= card[2], (language, width)
                assert card[1] <= top < bottom <= min(card[3], panel[3]) + 1, (language, width)


async def test_an_offer_of_a_rematch_moves_nothing_under_the_finger(seat):
    """In three windows, as nobody may offer more often."""
    white, black = await resigned(seat, "grandhouse", MOVES, **PHONE)
    for width, height in ((360, 740), (740, 360), (1366, 768)):
        await white.page.set_viewport_size({"width": width, "height": height})
        before = await areas(white.page, PRESSED)
        await black.page.click("#rematch")
        offer = white.page.locator("#offers")
        await expect(offer).to_contain_text("offers a rematch")
        assert await areas(white.page, PRESSED) == before, width
        await offer.get_by_role("button", name="Accept").click(trial=True)
        await offer.get_by_role("button", name="Decline").click()
        await expect(offer).to_be_empty()
        await expect(black.page.locator("#offers")).to_be_empty()


async def test_moves_are_left_beside_the_result_in_a_low_window(seat):
    white, _ = await resigned(seat, "grandhouse", MOVES, viewport={"width": 1024, "height": 640})
    (panel,) = await areas(white.page, "#move-list")
    shown = [area for area in await areas(white.page, ".ply") if panel[1] - 1 <= area[1] and area[3] <= panel[3] + 1]
    assert len({area[1] for area in shown}) >= 3, (panel, shown)
    await expect(white.page.locator(".ply [aria-current='true']")).to_be_in_viewport(ratio=0.9)


async def test_who_resigns_finds_every_control_where_it_was_and_the_result_by_keys(pair):
    white, black = await pair("chess")
    await all_write((white, black), "e4", "e5")
    page = white.page
    ways = "#flip, #nav-prev, #nav-next"
    before = await areas(page, ways)
    resign = page.locator("#resign")
    await resign.press("Enter")
    await expect(resign).to_have_class(re.compile("confirm"))
    await resign.press("Enter")
    await expect(page.locator("#ending-title")).to_be_focused()
    await laid_out(page)
    assert [area[::2] for area in await areas(page, ways)] == [area[::2] for area in before]
    await page.keyboard.press("Tab")
    await expect(page.locator("#rematch")).to_be_focused()


async def test_the_last_move_is_in_sight_beside_the_result_on_a_tablet(seat):
    white, black = await seat(viewport={"width": 820, "height": 1180}), await seat()
    await begin(white, black, "grandhouse")
    await all_write((white, black), *MOVES)
    await white.page.locator("#moves").evaluate("panel => panel.scrollTo(0, 0)")
    await black.resign()
    await expect(white.page.locator("#ending")).to_be_visible()
    last = white.page.locator(".ply [aria-current='true']")
    await expect(last).to_be_in_viewport(ratio=0.9)
    await laid_out(white.page)
    (panel,), (move,) = await areas(white.page, "#move-list"), await areas(white.page, ".ply [aria-current='true']")
    assert panel[1] - 1 <= move[1]
    assert move[3] <= panel[3] + 3


async def test_a_piece_that_is_held_when_the_game_ends_is_put_down(pair):
    white, black = await pair("chess")
    await all_write((white, black), "e4", "e5")
    held = white.page.locator("cg-board square.selected")
    await white.click("g1")
    await expect(held).to_have_count(1)
    await black.resign()
    await expect(white.page.locator("#ending")).to_be_visible()
    await expect(held).to_have_count(0)
