"""Leaving a board at which something is at stake: the browser asks, and every other page leads back."""

import pytest
from playwright.async_api import expect

from tests.support.browser.player import all_make, all_see
from tests.support.browser.screens import PHONE
from tests.support.browser.visitor import Listener

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

BLITZ = {"kind": "realtime", "initial": 300, "increment": 3}
DAYS = {"kind": "correspondence", "days": 3}


async def asked(player, address):
    """Goes there; whether the browser asked first. Without a click or a key on the page before, it never does."""
    before = player.asked_to_stay
    await player.page.goto(address)
    return player.asked_to_stay > before


async def test_whoever_leaves_a_running_clock_is_asked_and_led_back_and_told_the_end(pair):
    white, black = await pair("chess", clock=BLITZ)
    game = black.page.url
    await white.click("e2", "e4")
    await all_see((white, black), "e4")
    await black.click("e7", "e5")
    await all_see((white, black), "e4", "e5")
    assert await asked(black, f"{black.site}/rules/chess")
    bar = black.page.locator("#notification")
    await expect(bar).to_contain_text("is in progress")
    for link in await black.page.locator(".site-nav a:visible").all():
        await link.click(trial=True)
    await bar.locator("a").click()
    await all_see((white, black), "e4", "e5")
    assert black.page.url == game
    assert await asked(black, f"{black.site}/rules/chess")
    await expect(bar).to_contain_text("is in progress")
    await white.resign()
    await expect(bar).to_contain_text("is over")
    await bar.locator("a").click()
    await expect(black.page.locator("#ending-title")).to_have_text("You won")
    await black.page.locator("#ending-title").click()
    assert not await asked(black, f"{black.site}/rules")


async def test_another_page_of_the_site_is_no_absence_but_closing_the_board_is(pair):
    white, black = await pair("chess", clock=BLITZ)
    await all_make((white, black), "e2e4", "e7e5")
    said = white.page.locator("#seat-top .seat-presence")
    await black.page.locator(".site-nav a[href='/rules']").first.click()
    await expect(black.page.locator("#notification")).to_contain_text("is in progress")
    await expect(said).to_contain_text("on another page")
    await expect(white.page.locator("#offers")).to_contain_text("on another page of this site")
    await black.page.locator("#notification a").click()
    await all_see((white, black), "e4", "e5")
    await expect(said).not_to_contain_text("on another page")
    await black.page.close()
    await expect(white.page.locator("#offers")).to_contain_text("Your opponent has left")


async def test_whoever_leaves_on_their_own_move_is_told_so(pair):
    white, black = await pair("chess", clock=BLITZ)
    await all_make((white, black), "e2e4", "e7e5", "g1f3")
    for player, words in ((black, "it is your move"), (white, "is in progress.")):
        await player.page.goto(f"{player.site}/rules/chess")
        await expect(player.page.locator("#notification")).to_contain_text(words)
    await expect(black.page.locator("#waiting-strip")).to_contain_text("your turn")
    await expect(white.page.locator("#waiting-strip")).not_to_contain_text("your turn")


EVERY_BAR = """
window.bars = [];
new MutationObserver(() => {
    const said = document.querySelector("#notification p")?.textContent;
    if (said && said !== window.bars.at(-1)) window.bars.push(said);
}).observe(document, {childList: true, subtree: true});
"""


async def test_the_front_page_has_the_game_among_ones_own_and_covers_nothing_to_say_so(pair):
    white, black = await pair("chess", clock=BLITZ)
    await all_make((white, black), "e2e4", "e7e5", "g1f3")
    page = black.page
    await page.set_viewport_size(PHONE["viewport"])
    await page.add_init_script(EVERY_BAR)
    await page.goto(black.site)
    await expect(page.locator("#your-games-list a")).to_be_in_viewport(ratio=1)
    await expect(page.locator("#your-games-list")).to_contain_text("being played now · your turn")
    await white.resign()
    await expect(page.locator("#notification")).to_contain_text("is over")
    assert len(await page.evaluate("window.bars")) == 1


async def test_what_is_closed_stays_closed_on_the_next_pages_until_the_game_is_over(pair):
    white, black = await pair("chess", clock=BLITZ)
    await all_make((white, black), "e2e4", "e7e5", "g1f3")
    page, bar = white.page, white.page.locator("#notification")
    await page.goto(f"{white.site}/rules/chess")
    await expect(bar).to_contain_text("is in progress.")
    await bar.get_by_role("button", name="Close").click()
    await page.add_init_script(EVERY_BAR)
    await page.goto(f"{white.site}/games")
    await black.resign()
    await expect(bar).to_contain_text("is over")
    assert len(await page.evaluate("window.bars")) == 1


async def test_a_rematch_is_offered_to_whoever_reads_the_report_or_goes_on_to_another_page(pair):
    white, black = await pair("chess", clock=BLITZ)
    await white.click("e2", "e4")
    await all_see((white, black), "e4")
    await black.click("e7", "e5")
    await all_see((white, black), "e4", "e5")
    await white.resign()
    await black.page.click("#replay-analyse")
    await expect(black.page.locator("#tree .san")).to_have_text(["e4", "e5"])
    await Listener(black.page).goes(f"{black.site}/rules", until="your_games")
    await white.page.click("#rematch")
    bar = black.page.locator("#notification")
    await expect(bar).to_contain_text("offers a rematch")
    await bar.locator("a").click()
    await black.accept()
    for player in (white, black):
        await expect(player.page.locator("#turn")).to_be_visible()
        await player.has(0)


async def test_a_move_that_waits_to_be_confirmed_is_not_lost_without_a_question(pair):
    white, _ = await pair("chess", clock=DAYS)
    await white.page.locator("#turn").click()
    assert not await asked(white, white.page.url)
    await white.click("e2", "e4")
    await expect(white.page.locator("#turn")).to_contain_text("Not played yet")
    assert await asked(white, f"{white.site}/rules")
