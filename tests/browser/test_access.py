"""Every page under an automated audit of WCAG 2.2 AA (axe-core), light and dark, on a phone and on a wide screen."""

from pathlib import Path

import pytest
from playwright.async_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
STANDARD = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
AUDIT = """async tags => {
    const asked = { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] };
    const { violations } = await axe.run(document, asked);
    return violations.map(({ id, nodes }) =>
        `${id}: ` + nodes.slice(0, 4).map(({ target, failureSummary }) => `${target} (${failureSummary})`).join('; '));
}"""
PAGES = [
    "/",
    "/watch",
    "/watch/grand",
    "/games",
    "/import",
    "/rules",
    "/rules/grand",
    "/rules/acedrex",
    "/analysis",
    "/analysis/seirawan",
    "/players",
    "/register",
    "/sign-in",
    "/protocol",
    "/nothing-here",
]
SCREENS = [({"width": 360, "height": 740}, "light"), ({"width": 1440, "height": 900}, "dark")]


async def audit(page):
    """What is wrong with the page as it is now, in words."""
    # The policy of the page lets no script in; the debugger is not bound by it.
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    return await page.evaluate(AUDIT, STANDARD)


def report(found):
    return "\n".join(f"{where}: {violation}" for where, violations in found.items() for violation in violations)


@pytest.mark.parametrize(("viewport", "scheme"), SCREENS, ids=["phone light", "wide dark"])
async def test_no_page_violates_the_guidelines(seat, viewport, scheme):
    person = await seat(viewport=viewport, color_scheme=scheme)
    found = {}
    for path in PAGES:
        await person.page.goto(f"{person.site}{path}")
        await person.page.wait_for_load_state("load")
        if violations := await audit(person.page):
            found[path] = violations
    person.problems = [problem for problem in person.problems if "404" not in problem]
    assert not found, report(found)


@pytest.mark.parametrize(("viewport", "scheme"), SCREENS, ids=["phone light", "wide dark"])
async def test_no_game_violates_the_guidelines(seat, viewport, scheme):
    settings = {"viewport": viewport, "color_scheme": scheme}
    white, black, watcher = [await seat(**settings) for _ in range(3)]
    found = {}

    async def look(person, when):
        if violations := await audit(person.page):
            found[when] = violations

    link = await white.challenge("grandhouse")
    await look(white, "waiting for a friend")
    await black.open(link)
    await look(black, "invited")
    await black.join()
    await white.click("e3", "e5")
    await black.click("d8", "d6")
    await white.click("e5", "d6")
    await white.offer_draw()
    await expect(black.page.locator("#offers")).to_contain_text("offers a draw")
    await look(white, "playing")
    await look(black, "offered a draw")
    await watcher.open(link.split("#")[0])
    await look(watcher, "watching")
    await black.accept()
    await expect(white.page.locator("#result")).not_to_be_empty()
    await look(white, "over")
    await white.page.click("#appearance-button")
    await look(white, "choosing an appearance")
    assert not found, report(found)
