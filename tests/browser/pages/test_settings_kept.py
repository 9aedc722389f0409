"""Where choices are kept: with the account, in the browser of a guest, and without scripts by a form."""

import pytest
from playwright.async_api import expect

from tests.support.browser.settings import KEPT, pick

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


async def test_what_a_guest_chose_comes_along_into_the_account_and_from_there_to_another_browser(seat):
    anna, elsewhere = await seat(), await seat()
    await anna.page.goto(f"{anna.site}/settings")
    await expect(anna.page.locator("#kept")).to_have_text(KEPT)
    await pick(anna.page, "board", "slate")
    await anna.page.goto(f"{anna.site}/register")
    for person, path in ((anna, "/register"), (elsewhere, "/sign-in")):
        await person.page.goto(f"{person.site}{path}")
        await person.page.fill("#name", "Anna")
        await person.page.fill("#password", "a good long one")
        await person.page.locator("main form button.primary").click()
        await expect(person.page.locator(".nav-account")).to_contain_text("Anna")
        await expect(person.page.locator("html")).to_have_attribute("data-board", "slate")
    await elsewhere.page.goto(f"{anna.site}/settings")
    await expect(elsewhere.page.locator("#kept")).to_have_text("Kept in your account")
    await expect(elsewhere.page.locator("[name=board][value=slate]")).to_be_checked()


async def test_what_an_earlier_release_kept_in_the_browser_is_not_lost(seat):
    person = await seat()
    await person.page.goto(f"{person.site}/health")
    looks = '{"board": "slate", "coordinates": "off", "pieces": "gone"}'
    await person.page.evaluate(
        "looks => { localStorage.setItem('looks', looks); localStorage.setItem('sound', 'off'); }", looks
    )
    await person.page.goto(f"{person.site}/rules")
    await person.page.wait_for_function("() => !localStorage.getItem('looks') && !localStorage.getItem('sound')")
    await person.page.goto(f"{person.site}/settings")
    for box in ("[name=board][value=slate]", "[name=coordinates][value=off]"):
        await expect(person.page.locator(box)).to_be_checked()
    await expect(person.page.locator(".switch[name=sound]")).not_to_be_checked()
    person.problems.clear()  # what no longer exists was refused


async def test_without_scripts_the_page_is_a_form_and_its_choices_hold(seat):
    reader = await seat(java_script_enabled=False)
    page = reader.page
    await page.goto(f"{reader.site}/settings")
    await page.locator("[name=board][value=walnut]").check(force=True)
    await page.locator(".switch[name=sound_chat]").uncheck()
    await page.locator("[name=contrast][value=more]").check(force=True)
    await page.locator(".without-script button").click()
    await expect(page.locator("#kept")).to_have_text("Saved")
    for name, value in (("board", "walnut"), ("sound_chat", "off"), ("contrast", "more")):
        await expect(page.locator("html")).to_have_attribute(f"data-{name}", value)
    await expect(page.locator(".switch[name=sound_chat]")).not_to_be_checked()
    await expect(page.locator(".switch[name=sound_move]")).to_be_checked()


async def test_a_choice_that_could_not_be_kept_says_so_and_is_sent_with_the_next(seat):
    person = await seat()
    page = person.page
    await page.goto(f"{person.site}/settings")
    await page.route("**/settings", lambda route: route.abort())
    await page.locator("[name=board][value=slate]").check(force=True)
    await expect(page.locator("#kept")).to_contain_text("Not saved yet")
    await page.unroute("**/settings")
    await pick(page, "contrast", "more")
    await expect(page.locator("#kept")).to_have_text(KEPT)
    await page.goto(f"{person.site}/rules")
    await expect(page.locator("html")).to_have_attribute("data-board", "slate")
    person.problems.clear()  # the connection that the test has cut
