"""Every page under an automated audit of WCAG 2.2 AA (axe-core), light and dark, on a phone and on a wide screen."""

import pytest
from playwright.async_api import expect

from tests.support.browser.accessibility import audit_on_each_screen
from tests.support.browser.pages import PAGES
from tests.support.browser.player import all_make

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


def report(found):
    return "\n".join(f"{where}: {violation}" for where, violations in found.items() for violation in violations)


async def test_no_page_violates_the_guidelines(seat):
    person = await seat()
    found = {}
    for path in PAGES:
        await person.page.goto(f"{person.site}{path}")
        await person.page.wait_for_load_state("load")
        if violations := await audit_on_each_screen(person.page):
            found[path] = violations
    person.problems = [problem for problem in person.problems if "404" not in problem]
    assert not found, report(found)


async def test_no_game_violates_the_guidelines(seat):
    white, black, watcher = [await seat() for _ in range(3)]
    found = {}

    async def look(person, when):
        if violations := await audit_on_each_screen(person.page):
            found[when] = violations

    link = await white.challenge("grandhouse")
    await look(white, "waiting for a friend")
    await black.open(link)
    await look(black, "invited")
    await black.join()
    await all_make((white, black), "e3e5", "d8d6", "e5d6")
    await white.offer_draw()
    await expect(black.page.locator("#offers")).to_contain_text("offers a draw")
    await look(black, "offered a draw")
    await watcher.open(link.split("#")[0])
    await look(watcher, "watching")
    await black.accept()
    await expect(white.page.locator("#result")).not_to_be_empty()
    await look(white, "over")
    assert not found, report(found)
