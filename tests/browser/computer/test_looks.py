"""The pages of a game against the computer: whole words in Spanish, and no guideline violated."""

import pytest
from playwright.async_api import expect

from tests.support.browser.accessibility import audit
from tests.support.browser.computer import sits_down
from tests.support.browser.offline import go_offline, ready_to_leave
from tests.support.browser.screens import assert_no_sideways_scroll, laid_out
from tests.support.browser.whole_texts import FOUND

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SCREENS = [(360, 740), (960, 700)]


async def test_its_words_are_whole_in_spanish_and_it_violates_no_guideline(seat):
    person = await seat(locale="es-ES")
    page = person.page
    await sits_down(person, "seirawan")
    await person.write("e4")
    await person.has(2)
    await person.open_more()
    await page.check("#show-thinking", force=True)
    await page.click("#more > summary")
    for width, height in SCREENS:
        await page.set_viewport_size({"width": width, "height": height})
        await laid_out(page)
        assert await page.evaluate(FOUND) == [], width
        await assert_no_sideways_scroll(page)
    await person.open_more()
    assert await audit(page) == []
    await page.goto(f"{person.site}/computer?variant=grand&level=9")
    await expect(page.locator("h1")).not_to_have_text("Jugar contra el ordenador")
    person.problems = [problem for problem in person.problems if "400" not in problem]
    await page.goto(f"{person.site}/computer?variant=grand")
    for width, height in SCREENS:
        await page.set_viewport_size({"width": width, "height": height})
        await laid_out(page)
        assert await page.evaluate(FOUND) == [], width
        await assert_no_sideways_scroll(page)
    assert await audit(page) == []


async def test_offline_its_words_are_whole_in_spanish_and_it_violates_no_guideline(seat):
    person = await ready_to_leave(seat, locale="es-ES")
    page = person.page
    await go_offline(person)
    await sits_down(person, "seirawan")
    await person.write("e4")
    await person.has(2)
    for shown in (page.url, f"{person.site}/computer", f"{person.site}/games"):
        await page.goto(shown)
        for width, height in SCREENS:
            await page.set_viewport_size({"width": width, "height": height})
            await laid_out(page)
            assert await page.evaluate(FOUND) == [], (shown, width)
            await assert_no_sideways_scroll(page)
        assert await audit(page) == []
