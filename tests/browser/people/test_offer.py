"""A host gives the site a name and a colour and leaves out variants: at three sizes, in light and dark."""

import pytest
from playwright.async_api import expect

from server.web.site import SITE
from tests.support.browser.accessibility import audit
from tests.support.browser.player import PASSWORD, fill_in
from tests.support.browser.screens import PHONE, assert_no_sideways_scroll
from tests.support.web.accounts import register
from tests.support.web.desk import appoint

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]
SIZES = ((360, 740), (820, 1180), (1440, 900))


async def seen_at_every_size(page):
    for width, height in SIZES:
        await page.set_viewport_size({"width": width, "height": height})
        for light in ("light", "dark"):
            await page.emulate_media(color_scheme=light)
            await assert_no_sideways_scroll(page)
            assert await audit(page) == [], (width, light)
    await page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    await page.emulate_media(color_scheme="light")


async def test_a_host_names_and_colours_the_site_and_chooses_its_variants(host, seat):
    site = host.runner.app[SITE]
    known = list(site.variants)
    frida = await seat(**PHONE)
    page = frida.page
    await fill_in(frida, "/register", "Frida")
    await expect(page.locator("html")).to_have_attribute("data-member", "")
    await appoint(site, "Frida")
    await page.goto(f"{frida.site}/host/settings")
    await page.fill("#password", PASSWORD)
    await page.press("#password", "Enter")
    await expect(page.locator("h1")).to_have_text("Settings")
    await page.get_by_label("The name of the site").fill("Town chess")
    await page.get_by_label("The colour of buttons and links").fill("#d98ca5")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("alert")).to_contain_text("Choose a darker one.")
    frida.problems.clear()  # what the browser says of a refusal
    await page.get_by_label("The colour of buttons and links").fill("#7a1f3d")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("status")).to_have_text("It is done. Every page shows it within a second.")
    await expect(page.locator(".brand span")).to_have_text("Town chess")
    await expect(page.get_by_role("button", name="Save")).to_have_css("background-color", "rgb(122, 31, 61)")
    await seen_at_every_size(page)
    await page.get_by_role("link", name="Variants and languages").click()
    await expect(page.locator("h1")).to_have_text("Variants and languages")
    boxes = page.locator(".offer-list input[type=checkbox]")
    await expect(boxes).to_have_count(len(known))
    await boxes.nth(1).uncheck()
    await page.locator(".offer-list input[type=number]").nth(2).fill("1")
    await page.locator(".offer-list input[type=number]").nth(0).fill("2")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("status")).to_have_text("It is done. Every page shows it within a second.")
    await seen_at_every_size(page)
    await page.goto(f"{frida.site}/")
    await expect(page.locator("#shelf input")).to_have_count(len(known) - 1)
    await expect(page.locator("#shelf input").first).to_have_value(known[2])
    await expect(page.locator("#shelf input").first).to_be_checked()
    await seen_at_every_size(page)
    await page.goto(f"{frida.site}/host/log")
    await expect(page.locator(".desk-log li").first).to_contain_text("the variants that are offered")


async def test_a_host_looks_through_the_log_and_takes_a_copy_of_what_is_kept(host, seat, off_screen):
    site = host.runner.app[SITE]
    gerda = await seat(**PHONE)
    page = gerda.page
    await register(await off_screen(), "Otto")
    await fill_in(gerda, "/register", "Gerda")
    await expect(page.locator("html")).to_have_attribute("data-member", "")
    await appoint(site, "Gerda")
    await page.goto(f"{gerda.site}/host/people?name=Otto")
    await page.fill("#password", PASSWORD)
    await page.press("#password", "Enter")
    await page.goto(f"{gerda.site}/host/people?name=Otto")
    await page.get_by_role("link", name="They ask for their data").click()
    await expect(page.locator("h1")).to_have_text("Data of Otto")
    await seen_at_every_size(page)
    await page.fill("#export-password", PASSWORD)
    async with page.expect_download() as coming:
        await page.get_by_role("button", name="Download the file").click()
    assert (await coming.value).suggested_filename == "fairyhouse-Otto.json"
    await page.get_by_role("link", name="Log", exact=True).click()
    await expect(page.locator("h1")).to_have_text("Log")
    await page.get_by_text("Look for something").click()
    await page.get_by_label("Done by").fill("gerda")
    await page.get_by_label("What").select_option("people's data")
    await page.get_by_role("button", name="Show", exact=True).click()
    await expect(page.locator(".desk-log li")).to_have_count(1)
    await expect(page.locator(".desk-log li")).to_contain_text("took a copy of the data of Otto, for them")
    await expect(page.get_by_label("Done by")).to_have_value("gerda")
    await seen_at_every_size(page)
