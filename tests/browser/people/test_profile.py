"""The page of a player as a person reads it, and what they write there."""

import pytest
from playwright.async_api import expect

from tests.support.browser.player import fill_in

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
