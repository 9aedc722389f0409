"""The page of a player as a person reads it, and what they write there."""

import pytest
from playwright.async_api import expect

from tests.support.browser.player import fill_in
from tests.support.web.accounts import register

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_somebody_says_something_about_themselves_on_a_phone(seat):
    anna = await seat(viewport={"width": 360, "height": 640})
    await fill_in(anna, "/register", "Annabel")
    await expect(anna.page.locator(".nav-account")).to_have_text("Annabel")
    await anna.page.goto(anna.site + "/@/Annabel")
    await anna.page.get_by_role("link", name="Say something about yourself").click()
    await anna.page.get_by_label("What you say about yourself").fill("I play slowly.\n<i>Really.</i>" + "x" * 200)
    await anna.page.locator("form[action='/account/profile'] button").click()
    await expect(anna.page).to_have_url(anna.site + "/@/Annabel")
    await expect(anna.page.locator(".profile-text")).to_contain_text("<i>Really.</i>")
    assert await anna.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await anna.page.get_by_role("link", name="Change what you say").click()
    await expect(anna.page.get_by_label("What you say about yourself")).to_have_value(
        "I play slowly.\n<i>Really.</i>" + "x" * 200
    )


async def test_the_chart_of_days_says_what_it_shows_and_has_a_table(off_screen, seat):
    anna, ben = await off_screen(), await off_screen()
    await register(anna, "Annabel")
    for _ in range(2):
        game = await anna.challenge()
        await ben.join(game)
        async with anna.follow(game) as white, ben.follow(game) as black:
            for ply, uci in enumerate(("e2e4", "e7e5", "g1f3", "b8c6")):
                await (white, black)[ply % 2].move(ply, uci)
            await black.send({"t": "resign", "id": 9})
            await white.until("over")
    reader = await seat(viewport={"width": 360, "height": 640})
    page = reader.page
    await page.goto(reader.site + "/@/Annabel")
    days = page.get_by_role("img", name="2 games in the last half year on 1 day. At most 2 games on one day.")
    await expect(days.locator(".shade-4")).to_have_count(1)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.get_by_text("By month").click()
    await expect(page.locator("#activity ~ details td").filter(has_text="2")).to_be_visible()
    await page.get_by_role("link", name="1. e4 e5 2. Nf3").click()
    await expect(page).to_have_url(reader.site + "/analysis/chess#m=e2e4.e7e5.g1f3")


async def test_a_note_about_somebody_is_written_on_their_page(off_screen, seat):
    await register(await off_screen(), "Benedict")
    anna = await seat(viewport={"width": 360, "height": 640})
    await fill_in(anna, "/register", "Annabel")
    await expect(anna.page.locator(".nav-account")).to_have_text("Annabel")
    await anna.page.goto(anna.site + "/@/Benedict")
    await anna.page.get_by_text("Your note about Benedict").click()
    note = anna.page.get_by_role("textbox", name="Your note about Benedict")
    await note.fill("Plays fast.")
    await anna.page.locator("#note").get_by_role("button", name="Save").click()
    await expect(anna.page).to_have_url(anna.site + "/@/Benedict#note")
    await expect(note).to_be_visible()
    await expect(note).to_have_value("Plays fast.")
