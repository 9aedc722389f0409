"""A person's running games in real browsers: told at once, on whatever page they read."""

import re

import pytest
from playwright.async_api import expect

from tests.support.browser.visitor import Listener, Visitor, unfold_terms

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.browser]


async def by_days(page, days):
    await page.locator(".shelf-one:has([value='chess'])").click()
    await unfold_terms(page)
    await page.locator(".chip:has([value='days'])").first.click()
    await page.select_option("#days", days)
    await page.locator(".colors .chip:has([value='white'])").click()
    await page.click("#find")


async def test_a_move_in_a_game_of_days_reaches_every_other_page_of_the_opponent(seat, host):
    anna, ben = await Visitor(await seat(), host.site).arrive(), await Visitor(await seat(), host.site).arrive()
    await by_days(anna.page, "10+1/30d")
    await expect(ben.page.locator("#seeks .seek")).to_contain_text("10+1 days, up to 30")
    await ben.page.locator("#seeks .seek").click()
    game = await ben.is_playing()
    await anna.arrive()
    await expect(anna.page.locator("#your-games-list a")).to_contain_text("your turn")
    await ben.arrive()
    await expect(ben.page.locator("#your-games-list a")).to_contain_text("their turn")
    reading = await ben.context.new_page()
    await Listener(reading).goes(f"{host.site}/rules", until="your_games")
    await anna.page.goto(game)
    await expect(anna.page.locator("#terms")).to_have_text("10+1 days, up to 30")
    await expect(anna.page.locator("#clock-bottom")).to_have_text("10 d 0 h")
    await anna.page.locator("#tab-moves").click()
    await anna.page.locator("#move-entry input").fill("e4")
    await anna.page.keyboard.press("Enter")
    await anna.page.click("#confirm-play")
    await expect(ben.page.locator("#your-games-list a")).to_contain_text("your turn")
    await expect(ben.page).to_have_title(re.compile(r"^\(1\) "))
    for page in (ben.page, reading):
        await expect(page.locator("#notification")).to_contain_text("your move")
        assert await page.locator("#notification a").get_attribute("href") == game.removeprefix(host.site)
    await expect(reading).to_have_title(re.compile(r"^\(1\) "))


async def test_a_shuffled_game_from_a_position_of_ones_own_is_made(seat, host):
    anna = await Visitor(await seat(), host.site).arrive()
    await anna.choose("chess")
    await anna.page.locator("#shuffle").click()
    await anna.unfold_terms()
    await anna.page.locator("#more-terms summary").click()
    await anna.page.fill("#start-fen", "bqrnkbnr/pppppppp/8/8/8/8/PPPPPPPP/BQRNKBNR w HCch - 0 1")
    await anna.page.click("#create")
    await anna.is_playing()


async def test_after_a_move_the_next_game_that_waits_is_one_click_away(seat, pair):
    days = {"kind": "correspondence", "days": 3}
    white, black = await pair("chess", clock=days)
    first = white.page.url
    await black.open(await white.challenge("crazyhouse", clock=days))
    await black.join()
    second = white.page.url
    await Listener(white.page).goes(first, until="your_games")
    await white.write("e4")
    await white.confirm()
    await expect(white.page.locator("#notification")).to_contain_text("1 more game is waiting for your move.")
    await white.page.get_by_role("link", name="Next game").click()
    await expect(white.page).to_have_url(second)
    await white.write("d4")
    await white.confirm()
    await expect(white.page.locator(".moves, #moves").first).to_contain_text("d4")
    await expect(white.page.get_by_role("link", name="Next game")).to_have_count(0)
