"""A notice of the host, as people see it: told on open pages, then a line on each page, until they put it away."""

import asyncio
import re

import pytest
from playwright.async_api import expect

from server.cli.admin import post_notice, remove_notice
from server.games.clocks.time_control import DAY_MS
from server.storage.tables.notices import SiteNotice
from server.web.site import SITE
from tests.support.browser.accessibility import audit
from tests.support.browser.layout_shifts import SCREENS, late_scripts, shifts
from tests.support.browser.screens import assert_no_sideways_scroll

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

TEXT = "Fairyhouse moves to another machine on Sunday at noon.\n\n" + "No game loses time by it. " * 12


@pytest.fixture
def post(host):
    """Posts a text as the host does, or removes it, and has the server look at once."""

    async def posted(text):
        await asyncio.to_thread(*((post_notice, host.settings, text, 1) if text else (remove_notice, host.settings)))
        await host.runner.app[SITE].live.notice.refresh()

    return posted


async def test_open_pages_are_told_and_later_ones_have_it_until_it_is_put_away(pair, post):
    white, _ = await pair("chess")
    page = white.page
    await post(TEXT)
    bar, line = page.locator("#notification"), page.locator(".site-notice")
    await expect(bar).to_contain_text("on Sunday at noon")
    await bar.get_by_role("link").click()
    await expect(bar).to_have_count(0)
    await expect(line.locator("p")).not_to_be_visible()
    await line.locator("summary").click()
    await expect(line.locator("p")).to_be_visible()
    await expect(line.locator("p")).to_have_js_property("innerText", TEXT.strip())
    await line.get_by_role("button", name="Hide").click()
    await expect(line).not_to_be_visible()
    await page.goto(f"{white.site}/rules")
    await expect(line).not_to_be_visible()
    await asyncio.sleep(0.002)
    await post("Another one.")
    await page.reload()
    await expect(line).to_contain_text("Another one.")
    await post(None)
    await page.reload()
    await expect(line).to_have_count(0)


async def test_an_open_page_counts_down_to_a_restart_beside_the_words(seat, host):
    person = await seat()
    page, site = person.page, host.runner.app[SITE]
    await person.challenge("chess")
    now = site.now()
    await site.store.notices.post(SiteNotice("We update.", now, now + DAY_MS, now + 600_000))
    await site.live.notice.refresh()
    timer = page.locator("#notification").get_by_role("timer")
    await expect(page.locator("#notification p")).to_have_text(re.compile("^9:[0-9]{2} From the host: We update.$"))
    first = await timer.text_content()
    await expect(timer).not_to_have_text(first)
    await audit(page)
    await page.locator("#notification").get_by_role("link").click()
    await expect(page.locator(".site-notice").get_by_role("timer")).to_have_text(re.compile("^[0-9]:[0-9]{2}$"))
    await site.store.notices.remove()
    await site.live.notice.refresh()


async def test_it_moves_nothing_and_boards_leave_room_for_it(seat, post):
    person = await seat()
    page = person.page
    await post(TEXT)
    await person.challenge("grandhouse")
    game = "/" + page.url.rsplit("/", 1)[1]
    await late_scripts(page)
    for width, height in SCREENS[::2]:
        await page.set_viewport_size({"width": width, "height": height})
        for path, complete in (("/", "cg-board"), (game, "#invite"), ("/analysis/chess", "cg-board")):
            assert await shifts(person, path, complete) == [], (path, width)
            await assert_no_sideways_scroll(page)
        await page.goto(f"{person.site}{game}")
        board = await page.locator("cg-board").bounding_box()
        assert board["y"] + board["height"] <= height, width
        await page.locator(".site-notice summary").click()
        await audit(page)
