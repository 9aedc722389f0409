"""The host's desk, from the link in the log to what a moderator does, on a phone and without a mouse."""

import asyncio
import re

import pytest
from playwright.async_api import expect

from server.cli.admin import print_claim_link
from server.web.site import SITE
from tests.support.browser.accessibility import seen
from tests.support.browser.player import PASSWORD
from tests.support.browser.screens import PHONE
from tests.support.web.accounts import go, register

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_somebody_becomes_host_by_the_link_and_makes_another_a_moderator(host, seat, off_screen, capsys):
    await asyncio.to_thread(print_claim_link, host.settings)
    fragment = re.search(r"/host/claim#\S+", capsys.readouterr().out)[0]
    wilma, kito = await seat(**PHONE), await off_screen()
    await register(kito, "Kito")
    page = wilma.page
    await page.goto(wilma.site + fragment)
    await page.get_by_role("link", name="Create an account").click()
    await page.fill("#name", "Wilma")
    await page.fill("#password", PASSWORD)
    await page.press("#password", "Enter")
    await seen(page, "Become host")
    await page.get_by_role("button", name="Become host of this site").click()
    await seen(page, "The host's desk")
    await page.fill("#password", PASSWORD)
    await page.press("#password", "Enter")
    await expect(page.get_by_role("navigation", name="The host's desk")).to_be_visible()
    await seen(page, "The host's desk")
    await page.get_by_role("link", name="Roles").click()
    await seen(page, "Roles")
    await page.get_by_label("Name", exact=True).fill("Kito")
    await page.get_by_role("radio", name="moderator").check()
    await page.get_by_label("Password", exact=True).fill(PASSWORD)
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("status")).to_have_text("It is done, and holds at once.")
    await go(await off_screen(), "/report", name="Kito", kind="insults", text="Called me a patzer.")
    await page.get_by_role("link", name="Today").click()
    await page.get_by_role("link", name="1 open report").click()
    await seen(page, "Reports")
    await page.get_by_role("link", name="About Kito").click()
    await seen(page, "About Kito")
    await page.get_by_role("button", name="Look into it").click()
    await expect(page.locator("main")).to_contain_text("Yours until")
    await page.get_by_role("button", name="Unclear").click()
    await expect(page.get_by_role("status")).to_have_text("Done: the reports you have read are closed.")
    await page.get_by_role("link", name="Log", exact=True).click()
    await seen(page, "Log")
    await expect(page.locator(".desk-log li")).to_contain_text(
        ["closed the reports about Kito: Unclear", "changed the role of Kito", "became host by the link", "made a link"]
    )
    await page.get_by_role("link", name="Notice", exact=True).click()
    await seen(page, "Notice")
    await page.get_by_label("What you want to tell").fill("The club opens at seven.")
    await page.get_by_role("button", name="Show it").click()
    await expect(page.locator(".site-notice")).to_contain_text("The club opens at seven.")
    await page.get_by_role("button", name="Remove it").click()
    await expect(page.locator(".site-notice")).to_have_count(0)
    assert (await host.runner.app[SITE].store.notices.current()) is None
    assert await go(kito, "/host/password", password=PASSWORD) == "/host"
    async with kito.http.get("/host/roles") as answer:
        assert answer.status == 403
