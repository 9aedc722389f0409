"""A host looks on a phone how the site is, makes a backup, has everything checked, and announces a restart."""

import re

import pytest
from playwright.async_api import expect

from server.games.player import Player
from server.realtime.runtime.ids import digest
from server.realtime.services.desk import make_claim
from server.web.operation import site_check
from server.web.site import SITE
from tests.support.browser.accessibility import seen
from tests.support.browser.player import PASSWORD, fill_in
from tests.support.browser.screens import PHONE
from tests.support.patience import PATIENCE_S

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_a_host_sees_how_the_site_is_makes_a_backup_and_announces_a_restart(host, seat, monkeypatch):
    monkeypatch.setattr(site_check, "COMMAND", ("true",))
    site = host.runner.app[SITE]
    vera = await seat(**PHONE)
    page = vera.page
    await fill_in(vera, "/register", "Vera")
    await expect(page.locator("html")).to_have_attribute("data-member", "")
    await make_claim(site.store.desk, digest("code"), Player("", "root"), site.now())
    await page.goto(f"{vera.site}/host/claim#code")
    await page.get_by_role("button", name="Become host of this site").click()
    await page.fill("#password", PASSWORD)
    await page.press("#password", "Enter")
    await expect(page.locator("main")).to_contain_text("No backup has been made here.")
    await seen(page, "The host's desk")
    await page.get_by_role("link", name="Site", exact=True).click()
    await seen(page, "Site")
    await expect(page.locator(".site-health")).to_contain_text("can be written")
    await page.get_by_role("button", name="Back up now").click()
    await expect(page.get_by_role("status")).to_contain_text("A backup is being made.")
    await site.live.services.background.finish(PATIENCE_S)
    await page.get_by_role("link", name="Site", exact=True).click()
    backups = page.locator("section", has=page.locator("#backups-title"))
    await expect(backups.locator(".desk-log")).to_contain_text("MB")
    await page.get_by_label("One a day, by itself").select_option("7")
    await backups.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("status")).to_have_text("Saved.")
    await expect(page.get_by_label("One a day, by itself")).to_have_value("7")
    await seen(page, "Site")
    await page.get_by_role("button", name="Check it now").click()
    await expect(page.get_by_role("status")).to_contain_text("is being looked at")
    await site.live.services.background.finish(PATIENCE_S)
    await page.get_by_role("link", name="Site", exact=True).click()
    await expect(page.locator("main")).to_contain_text("Everything that is stored is intact.")
    await page.get_by_role("link", name="Notice", exact=True).click()
    await page.get_by_role("button", name="Announce it").click()
    await expect(page.get_by_role("status")).to_contain_text("It is done.")
    await expect(page.locator(".site-notice")).to_contain_text("The site is about to be restarted.")
    await expect(page.get_by_role("timer")).to_have_text(re.compile("^9:[0-9]{2}$"))
    await seen(page, "Notice")
    await page.get_by_role("button", name="Remove it").click()
    await expect(page.get_by_role("timer")).to_have_count(0)
