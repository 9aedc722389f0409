"""Who may join: what a host decides on a phone, and what newcomers read and do, without a mouse or a script."""

import pytest
import pytest_asyncio
from playwright.async_api import expect

from server.web.site import SITE
from tests.support.browser.accessibility import seen
from tests.support.browser.player import PASSWORD, fill_in
from tests.support.browser.screens import PHONE
from tests.support.web.accounts import go
from tests.support.web.desk import appoint

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest_asyncio.fixture(loop_scope="session")
async def tove(host, seat):
    """A host at the desk, on a phone."""
    site = host.runner.app[SITE]
    one = await seat(**PHONE)
    await fill_in(one, "/register", "Tove")
    await expect(one.page.locator(".registered")).to_be_visible()
    await appoint(site, "Tove")
    await one.page.goto(f"{one.site}/host")
    await one.page.fill("#password", PASSWORD)
    await one.page.press("#password", "Enter")
    await expect(one.page.get_by_role("navigation", name="The host's desk")).to_be_visible()
    return one.page


async def test_a_host_has_people_ask_first_and_answers_two_of_them(tove, seat, off_screen):
    page, nuri, rik = tove, await seat(**PHONE), await off_screen()
    await page.get_by_role("link", name="Joining").click()
    await seen(page, "Joining")
    await page.get_by_role("radio", name="Who asks").check()
    await page.get_by_role("radio", name="Play by a link").check()
    await page.get_by_label("Your question").fill("How did you find us?")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("status")).to_have_text("It is done, and holds at once.")
    await nuri.page.goto(f"{nuri.site}/register")
    await seen(nuri.page, "Create an account")
    await nuri.page.fill("#name", "Nuri")
    await nuri.page.fill("#password", PASSWORD)
    await nuri.page.get_by_label("How did you find us?").fill("At the library.")
    await nuri.page.get_by_role("button", name="Ask to join").click()
    await expect(nuri.page.get_by_role("status")).to_contain_text("Your request is with the host.")
    assert await go(rik, "/register", name="Rik", password=PASSWORD, words="hi") == "/register?asked"
    await page.get_by_role("link", name="Today").click()
    await page.get_by_role("link", name="2 people ask to join").click()
    await seen(page, "Joining")
    await expect(page.get_by_role("link", name="Joining 2 wait")).to_be_visible()
    await page.get_by_role("checkbox", name="Rik").check()
    await page.get_by_label("If you refuse").fill("Please say who you are.")
    await page.get_by_role("button", name="Refuse those that are ticked").click()
    await expect(page.get_by_role("status")).to_have_text("1 request is answered.")
    await expect(page.get_by_role("checkbox", name="Nuri")).to_be_checked()
    await page.get_by_role("button", name="Accept those that are ticked").click()
    await expect(page.get_by_role("heading", name="ask to join")).to_have_count(0)
    await page.get_by_text("Answered before").click()
    await expect(page.get_by_text("is accepted by Tove")).to_be_visible()
    await seen(page, "Joining")
    await nuri.page.get_by_role("link", name="Sign in").first.click()
    await nuri.page.fill("#name", "Nuri")
    await nuri.page.fill("#password", PASSWORD)
    await nuri.page.press("#password", "Enter")
    await expect(nuri.page).to_have_url(f"{nuri.site}/")
    status, refused = await go(rik, "/sign-in", name="Rik", password=PASSWORD)
    assert (status, "“Please say who you are.”" in refused) == (403, True)


async def test_a_host_makes_an_invitation_and_sees_who_came_by_it(tove, seat):
    page, alva = tove, await seat(**PHONE)
    await page.get_by_role("link", name="Joining").click()
    await page.get_by_role("radio", name="Who is invited").check()
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("status")).to_be_visible()
    await page.get_by_label("A note for yourself").fill("For the poster in the library")
    await page.get_by_label("For how many people").select_option("5 people")
    await page.get_by_role("button", name="Make the invitation").click()
    await seen(page, "Invitation")
    picture = page.get_by_role("img", name="The link as a picture")
    assert await picture.evaluate("one => one.naturalWidth") > 0
    link = await page.get_by_role("textbox").input_value()
    await alva.page.goto(f"{alva.site}/register")
    await expect(alva.page.get_by_label("The code of your invitation")).to_be_visible()
    await alva.page.goto(alva.site + link[link.index("/register") :])
    await expect(alva.page.get_by_text("Tove has invited you.")).to_be_visible()
    await seen(alva.page, "Create an account")
    await alva.page.fill("#name", "Alva")
    await alva.page.fill("#password", PASSWORD)
    await alva.page.press("#password", "Enter")
    await expect(alva.page.locator(".registered")).to_contain_text("Alva")
    await page.get_by_role("link", name="All invitations").click()
    await seen(page, "Joining")
    await expect(page.get_by_text("Alva came by it")).to_be_visible()
    await expect(page.get_by_text("For the poster in the library · 1 of 5 used")).to_be_visible()
    await page.get_by_role("button", name="End it").click()
    await expect(page.get_by_text("1 of 5 used · over")).to_be_visible()


async def test_a_site_without_guests_says_so_where_they_would_make_an_account(tove, seat):
    page, stranger = tove, await seat(**PHONE)
    await page.get_by_role("link", name="Joining").click()
    await page.get_by_role("radio", name="Nobody").check()
    await page.get_by_role("radio", name="Only watch").check()
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("status")).to_be_visible()
    await stranger.page.goto(f"{stranger.site}/register")
    await expect(stranger.page.get_by_text("Nobody can make an account here")).to_be_visible()
    await expect(stranger.page.locator("main form")).to_have_count(0)
    await seen(stranger.page, "Create an account")


async def test_a_host_changes_what_the_site_says_of_itself(tove, seat):
    page, stranger = tove, await seat(**PHONE)
    await page.get_by_role("link", name="Settings", exact=True).last.click()
    await seen(page, "Settings")
    await page.get_by_label("The words under the title").fill("Chess variants of the town library.")
    await page.get_by_label("About privacy").fill("We keep your games.")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_role("status")).to_contain_text("It is done.")
    await seen(page, "Settings")
    await stranger.page.goto(stranger.site)
    await expect(stranger.page.locator(".home-title .lead")).to_have_text("Chess variants of the town library.")
    await stranger.page.goto(f"{stranger.site}/about")
    await expect(stranger.page.get_by_text("We keep your games.")).to_be_visible()
    await seen(stranger.page, "About this site")
