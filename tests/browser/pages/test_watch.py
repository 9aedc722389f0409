"""The TV page, games in play, seen in real browsers."""

import pytest
from playwright.async_api import expect

from tests.support.browser.player import all_see

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


def marked(board, left, bottom):
    """The square that begins there, percent, if the last move is marked on it."""
    return board.locator(f"square.last-move[style='left: {left}%; bottom: {bottom}%;']")


async def test_games_in_play_are_watched_as_they_go(pair, seat):
    white, black = await pair("crazyhouse")
    way = white.page.url.removeprefix(white.site).split("#")[0]
    viewer = await seat()
    board = viewer.page.locator(f".tv-game:has(a[href='{way}'])")
    await viewer.page.goto(f"{viewer.site}/watch/crazyhouse")
    await expect(viewer.page.locator("#watch-empty")).to_be_visible()
    await white.click("e2", "e4")
    await black.click("e7", "e5")
    await all_see((white, black), "e4", "e5")
    await expect(board.locator(".small-board piece")).to_have_count(32)
    await expect(board.locator(".tv-pocket piece[data-nb='0']")).to_have_count(10)
    for bottom in (50, 75):
        await expect(marked(board, 50, bottom)).to_have_count(1)
    await white.click("g1", "f3")
    await expect(marked(board, 75, 0)).to_have_count(1)
    await expect(board.locator(".tv-clock.runs")).to_have_count(1)
    await all_see((white, black), "e4", "e5", "Nf3")
    await black.click("d7", "d5")
    await all_see((white, black), "e4", "e5", "Nf3", "d5")
    await white.click("e4", "d5")
    await expect(board.locator(".tv-pocket piece[data-nb='1']")).to_have_class("p-piece white")
    await viewer.page.goto(f"{viewer.site}/watch/grand")
    await expect(board).to_have_count(0)
    await viewer.page.goto(f"{viewer.site}/watch")
    await expect(board).to_be_visible()
    await black.resign()
    await expect(board.locator(".tv-result")).to_have_text("Finished: 1-0")
    await board.get_by_role("link").click()
    await expect(viewer.page.locator("#board cg-board")).to_be_visible()
