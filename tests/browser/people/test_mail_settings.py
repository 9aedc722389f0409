"""How people choose what they are told by mail, and when: by the keyboard alone, and under the audit of WCAG 2.2 AA."""

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.support.browser.accessibility import audit, audit_on_each_screen
from tests.support.browser.screens import assert_no_sideways_scroll
from tests.support.mail.mail_server import mail_server
from tests.support.mail.told import told_at
from tests.support.web.accounts import register, token_of
from tests.support.web.in_process import InProcess

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

BOX = "anna@example.org"
TABLET = {"width": 820, "height": 1180}


@pytest_asyncio.fixture(loop_scope="session")
async def post_office():
    async with mail_server() as server:
        yield server


@pytest_asyncio.fixture(loop_scope="session")
async def host(tmp_path, monkeypatch, post_office):
    async with InProcess(tmp_path, monkeypatch, smtp_url=post_office.url, mail_from="games@chess.example.org") as site:
        yield site


@pytest_asyncio.fixture(loop_scope="session")
async def anna(off_screen, seat, post_office):
    """Anna in Madrid, at the page of her account, which has a confirmed address."""
    person = await off_screen()
    await register(person, "Anna")
    await told_at(person, post_office, BOX)
    board = await seat(timezone_id="Europe/Madrid")
    await board.context.add_cookies([{"name": "sid", "value": token_of(person), "url": board.site}])
    await board.page.goto(f"{board.site}/account")
    return board


async def test_the_settings_of_mail_violate_no_guideline_on_any_screen(anna):
    found = await audit_on_each_screen(anna.page)
    for size in (TABLET, {"width": 360, "height": 740}):
        await anna.page.set_viewport_size(size)
        await assert_no_sideways_scroll(anna.page)
        found += await audit(anna.page)
    assert not found, "\n".join(found)


async def test_wishes_and_quiet_hours_are_chosen_by_the_keyboard_in_the_browsers_own_zone(anna):
    page = anna.page
    press = page.keyboard.press
    turns = page.locator("select[name=turns]").first
    await turns.focus()
    await page.keyboard.type("daily")
    # Past the other kinds and the letters.
    for _ in range(6):
        await press("Tab")
    await expect(page.get_by_role("button", name=f"Save for {BOX}")).to_be_focused()
    async with page.expect_navigation():
        await press("Enter")
    await expect(turns).to_have_value("daily")

    zone = page.locator("#zone")
    await expect(zone).to_have_value("Europe/Madrid")
    await zone.focus()
    await press("Tab")
    await expect(page.locator("#quiet-from")).to_be_focused()
    # How a time is typed depends on the language of the browser.
    await page.fill("#quiet-from", "22:30")
    await page.fill("#quiet-until", "07:00")
    save = page.locator('form[action="/account/notifications"] button')
    # Browsers differ in how many stops a field for a time has.
    while not await save.evaluate("button => button === document.activeElement"):
        await press("Tab")
    async with page.expect_navigation():
        await press("Enter")
    for name, value in (("#zone", "Europe/Madrid"), ("#quiet-from", "22:30"), ("#quiet-until", "07:00")):
        await expect(page.locator(name)).to_have_value(value)
    await expect(page.locator("#zone[data-unset]")).to_have_count(0)
