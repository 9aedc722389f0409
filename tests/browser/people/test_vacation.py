"""Somebody goes on vacation on the page of their games, and the opponent, who has the board open, sees it at once."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.async_api import expect

from tests.support.browser.accessibility import audit, audit_on_each_screen
from tests.support.browser.player import begin, fill_in
from tests.support.browser.screens import assert_no_sideways_scroll

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
SIZES = ((360, 740), (820, 1180), (1440, 900))


async def plays(player, san, count):
    """In a correspondence game a move waits until it is confirmed."""
    await player.write(san)
    await player.confirm()
    await player.has(count)


async def test_an_opponent_at_the_board_sees_who_is_away_and_that_the_clock_stands(seat):
    anna, ben = await seat(), await seat()
    await fill_in(anna, "/register", "Annabel")
    await begin(anna, ben, "chess", clock={"kind": "correspondence", "days": 3})
    await plays(anna, "e4", 1)
    await ben.has(1)
    await plays(ben, "e5", 2)
    page, game = anna.page, anna.page.url
    await page.goto(f"{anna.site}/games/mine")
    last = datetime.now(UTC).date() + timedelta(6)
    await page.fill("#vacation-until", last.isoformat())
    await page.click("text=Go on vacation")
    said = f"away until {last:%B} {last.day}"
    await expect(page.locator("#vacation")).to_contain_text("You are away until")
    await expect(page.locator("#vacation-until")).to_have_value(last.isoformat())
    await expect(ben.page.locator("#seat-top .seat-presence")).to_contain_text(said)
    await expect(ben.page.locator("#offers")).to_contain_text(f"Annabel is {said}. The clock stands still meanwhile")
    for width, height in SIZES:
        for shown in (page, ben.page):
            await shown.set_viewport_size({"width": width, "height": height})
            await assert_no_sideways_scroll(shown)
    assert await audit_on_each_screen(page) == []
    assert await audit(ben.page) == []
    # Who is away may move; the clock of the other then stands full.
    await page.goto(game)
    await expect(page.locator("#offers")).to_contain_text("You are away until")
    await plays(anna, "Nf3", 3)
    await ben.sees("e4", "e5", "Nf3")
    await expect(ben.page.locator("#clock-bottom")).to_have_text("3 d 0 h")
    await page.goto(f"{anna.site}/games/mine")
    await page.click("text=I am back")
    await expect(page.locator("#vacation")).to_contain_text("Go on vacation")
    await expect(ben.page.locator("#seat-top .seat-presence")).not_to_contain_text("away until")
    await expect(ben.page.locator("#live")).to_contain_text("the clock is running again")


async def test_the_form_works_without_scripts_and_a_refusal_says_what_would_be_possible(seat):
    anna = await seat(viewport={"width": 360, "height": 740}, java_script_enabled=False)
    await fill_in(anna, "/register", "Annabel")
    await anna.page.goto(f"{anna.site}/games/mine")
    field = anna.page.locator("#vacation-until")
    await field.evaluate("field => field.removeAttribute('max')")
    await field.fill("2999-01-01")
    await anna.page.click("text=Go on vacation")
    await expect(anna.page.locator("#vacation .refusal")).to_contain_text("That is too long. You have")
    anna.problems.clear()  # what the browser says of a refusal
    await field.fill(await field.get_attribute("max"))
    await anna.page.click("text=Go on vacation")
    await expect(anna.page.locator("#vacation")).to_contain_text("You are away until")
