"""Who looks back in a running game is told when their opponent has moved, and is one press from the game."""

import pytest
from playwright.async_api import expect

from tests.support.browser.player import all_see
from tests.support.rules.built_in import VARIANTS

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_the_line_tells_that_the_opponent_has_moved_and_leads_to_the_game(pair):
    white, black = await pair("chess")
    line, to_game = white.page.locator("#turn"), white.page.locator("#to-game")
    sans = []
    for mover, san in ((white, "e4"), (black, "e5"), (white, "Nf3")):
        await mover.write(san)
        sans.append(san)
        await all_see((white, black), *sans)
    await expect(to_game).to_be_hidden()
    await white.page.click("#nav-prev")
    await expect(line).to_contain_text("e5")
    await expect(line).not_to_contain_text("has moved")
    await black.write("Nc6")
    # First, as the end of it is cut off where there is little room.
    await expect(line).to_have_text("Your opponent has moved · Looking at 1... e5")
    await white.page.click("#nav-prev")
    await white.page.click("#nav-prev")
    await expect(line).to_contain_text("Your opponent has moved")
    await white.shows(VARIANTS["chess"].start_fen)
    await to_game.click()
    await expect(to_game).to_be_hidden()
    await expect(line).to_have_text("Your turn")
    await white.click("f1", "b5")
    await all_see((white, black), "e4", "e5", "Nf3", "Nc6", "Bb5")
