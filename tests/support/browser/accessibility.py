"""An automated audit of WCAG 2.2 AA (axe-core), and the screens on which pages are looked at."""

from pathlib import Path

from playwright.async_api import expect

from tests.support.browser.screens import assert_no_sideways_scroll, laid_out

AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"

STANDARD = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
ON_COLORS = {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}
"""What the standard says of colours: all that may change with nothing but the colours of a page."""

AUDIT = """async rules => {
    const { violations } = await axe.run(document, { runOnly: rules, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) =>
        `${id}: ` + nodes.slice(0, 4).map(({ target, failureSummary }) => `${target} (${failureSummary})`).join('; '));
}"""

SCREENS = [({"width": 360, "height": 740}, "light"), ({"width": 1440, "height": 900}, "dark")]


async def audit(page, rules=STANDARD):
    """What is wrong with the page as it is now, in words."""
    await laid_out(page)
    if await page.evaluate("typeof axe") == "undefined":
        # The policy of the page lets no script in; the debugger is not bound by it.
        await page.evaluate(AXE.read_text(encoding="utf-8"))
    return await page.evaluate(AUDIT, rules)


async def seen(page, title):
    """Returns once the page of that title is shown. Fails if it scrolls sideways or the audit finds a fault."""
    await expect(page.locator("h1")).to_have_text(title)
    await assert_no_sideways_scroll(page)
    assert await audit(page) == []


async def audit_on_each_screen(page):
    """What is wrong with the page on any of SCREENS, and on which; it stays on the last of them."""
    found = []
    for viewport, scheme in SCREENS:
        await page.set_viewport_size(viewport)
        await page.emulate_media(color_scheme=scheme)
        found += [f"{scheme}, {viewport['width']} px wide: {violation}" for violation in await audit(page)]
    return found
