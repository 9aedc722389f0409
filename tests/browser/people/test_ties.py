"""What one can do on somebody's page: follow, block and unblock them, report them, and see who is here."""

import re

import pytest
from playwright.async_api import expect

from tests.support.browser.accessibility import ON_COLORS, STANDARD, audit
from tests.support.browser.player import fill_in
from tests.support.browser.visitor import Listener

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.fixture
def members(seat):
    """Annabel and Benedict, each on the page of Benedict, whose line is open before anybody reads it."""

    async def come():
        one, other = await seat(viewport={"width": 360, "height": 740}), await seat()
        for player, name in ((one, "Annabel"), (other, "Benedict")):
            await fill_in(player, "/register", name)
            await expect(player.page).to_have_url(f"{player.site}/")
        for player in (other, one):
            await Listener(player.page).goes(f"{player.site}/@/Benedict")
        return one, other

    return come


async def test_a_profile_leads_from_following_to_blocking_and_back(members):
    one, _ = await members()
    page = one.page
    await expect(page.get_by_text("here now")).to_be_visible()
    await page.get_by_role("button", name="Follow").click()
    await expect(page.get_by_role("button", name="Unfollow")).to_be_visible()
    await page.goto(f"{one.site}/online")
    followed = page.get_by_role("region", name="You follow")
    await expect(followed.get_by_role("listitem")).to_have_text(re.compile(r"Benedict\s+here"))
    await followed.get_by_role("link", name="Benedict").click()
    more = page.locator("summary", has_text="…")
    await more.focus()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Block")).to_be_visible()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("button", name="Block")).to_be_hidden()
    await expect(more).to_be_focused()
    await more.click()
    await page.get_by_role("button", name="Block").click()
    await expect(page.get_by_text("You have blocked Benedict.")).to_be_visible()
    await expect(page.get_by_role("link", name="Challenge")).to_have_count(0)
    await expect(page.get_by_text("here now")).to_have_count(0)
    await page.get_by_role("button", name="Unblock").click()
    await page.get_by_role("link", name="Challenge", exact=True).click()
    await expect(page.locator("#to")).to_have_value("Benedict")


async def test_a_report_is_written_and_thanked_for(members):
    one, _ = await members()
    page = one.page
    await page.locator("summary", has_text="…").click()
    await page.get_by_role("link", name="Report to the host").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Report Benedict")
    await page.get_by_label("Insults or threats").check()
    written = page.get_by_label(re.compile("What happened"))
    await written.fill("They said <b>so</b>.")
    await expect(written).to_have_css("font-family", re.compile("^Figtree"))
    await page.get_by_role("button", name="Send the report").click()
    await expect(page.get_by_role("status")).to_contain_text("Thank you.")


async def test_the_pages_of_people_violate_no_guideline(members):
    (one, _), found = await members(), {}
    page = one.page
    for path in ("/@/Benedict", "/@/Annabel", "/online", "/report?name=Benedict", "/account"):
        await page.goto(one.site + path)
        if path == "/@/Benedict":
            await page.locator("summary", has_text="…").click()
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        for scheme, rules in (("light", STANDARD), ("dark", ON_COLORS)):
            await page.emulate_media(color_scheme=scheme)
            if violations := await audit(page, rules):
                found[path, scheme] = violations
    assert found == {}
