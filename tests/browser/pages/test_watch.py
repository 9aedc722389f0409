"""The TV page, games in play, seen in real browsers."""

import pytest
from playwright.async_api import expect

from tests.support.web.people import play

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


def marked(board, left, bottom):
    """The square that begins there, percent, if the last move is marked on it."""
    return board.locator(f"square.last-move[style='left: {left}%; bottom: {bottom}%;']")


async def test_games_in_play_are_watched_as_they_go(off_screen, seat):
    maker, guest, viewer = await off_screen(), await off_screen(), await seat()
    game = await maker.challenge(variant="crazyhouse")
    await guest.join(game)
    board = viewer.page.locator(f".tv-game:has(a[href='/{game['id']}'])")
    await viewer.page.goto(f"{viewer.site}/watch/crazyhouse")
    await expect(viewer.page.locator("#watch-empty")).to_be_visible()
    async with maker.follow(game) as white, guest.follow(game) as black:
        await play((white, black), ["e2e4", "e7e5"])
        await expect(board.locator(".small-board piece")).to_have_count(32)
        await expect(board.locator(".tv-pocket piece[data-nb='0']")).to_have_count(10)
        for bottom in (50, 75):
            await expect(marked(board, 50, bottom)).to_have_count(1)
        await play((white, black), ["g1f3"], first=2)
        await expect(marked(board, 75, 0)).to_have_count(1)
        await expect(board.locator(".tv-clock.runs")).to_have_count(1)
        await play((white, black), ["d7d5", "e4d5"], first=3)
        await expect(board.locator(".tv-pocket piece[data-nb='1']")).to_have_class("p-piece white")
        await viewer.page.goto(f"{viewer.site}/watch/grand")
        await expect(board).to_have_count(0)
        await viewer.page.goto(f"{viewer.site}/watch")
        await expect(board).to_be_visible()
        await black.send({"t": "resign", "id": 9})
        await expect(board.locator(".tv-result")).to_have_text("Finished: 1-0")
    await board.get_by_role("link").click()
    await expect(viewer.page.locator("#board cg-board")).to_be_visible()
