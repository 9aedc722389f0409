"""A moderator mutes somebody on a phone, who reads why and answers, and is heard."""

import pytest
from playwright.async_api import expect

from server.games.player import Player
from server.realtime.runtime.ids import digest
from server.realtime.services.desk import make_claim
from server.web.site import SITE
from tests.support.browser.accessibility import seen
from tests.support.browser.player import PASSWORD, fill_in
from tests.support.browser.screens import PHONE
from tests.support.web.accounts import go, register

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_who_was_reported_is_muted_reads_why_answers_and_is_heard(host, seat, off_screen):
    site = host.runner.app[SITE]
    vera, kito = await seat(**PHONE), await seat(**PHONE)
    for person, name in ((vera, "Vera"), (kito, "Kito")):
        await fill_in(person, "/register", name)
        await expect(person.page.locator("html")).to_have_attribute("data-member", "")
    await make_claim(site.store.desk, digest("code"), Player("", "root"), site.now())
    page, his = vera.page, kito.page
    await page.goto(f"{vera.site}/host/claim#code")
    await page.get_by_role("button", name="Become host of this site").click()
    await page.fill("#password", PASSWORD)
    await page.press("#password", "Enter")
    reporter = await off_screen()
    await register(reporter, "Ida")
    await go(reporter, "/report", name="Kito", kind="insults", text="Called me a patzer.")
    await page.get_by_role("link", name="Reports").click()
    await page.get_by_role("link", name="About Kito").click()
    await seen(page, "About Kito")
    await page.get_by_role("radio", name="Muted", exact=False).first.check()
    await page.get_by_label("In your own words").fill("Not in this tone.")
    await page.get_by_role("button", name="Show what they will read").click()
    await seen(page, "This is what Kito reads")
    await expect(page.locator(".will-read")).to_contain_text("Not in this tone.")
    await page.get_by_role("button", name="Change it").click()
    await expect(page.get_by_label("In your own words")).to_have_value("Not in this tone.")
    await page.get_by_role("button", name="Show what they will read").click()
    await page.get_by_role("button", name="Decide it").click()
    await expect(page.get_by_role("status")).to_have_text("Done: the reports you have read are closed.")
    await seen(page, "Reports")
    await his.goto(f"{kito.site}/players")
    await his.get_by_role("link", name="The host has decided something about you: read it").click()
    await seen(his, "Decisions about you")
    await his.get_by_role("button", name="I have read this").click()
    await his.get_by_text("Answer the host").click()
    await his.get_by_label("Your answer").fill("I am sorry.")
    await his.get_by_role("button", name="Send").click()
    await expect(his.get_by_role("status")).to_have_text("The host will read your answer.")
    await page.get_by_role("link", name="Today").click()
    await page.get_by_role("link", name="1 answer to a decision").click()
    await seen(page, "People")
    await page.get_by_role("button", name="Lift it: Muted, Kito").first.click()
    await expect(page.get_by_role("status")).to_have_text("It is done, and holds at once.")
    await his.reload()
    await expect(his.locator("main")).to_contain_text("Nothing is decided about you.")
