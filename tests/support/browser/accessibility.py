"""An automated audit of WCAG 2.2 AA (axe-core), and the screens on which pages are looked at."""

from pathlib import Path

AXE = Path(__file__).parents[3] / "node_modules" / "axe-core" / "axe.min.js"

STANDARD = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

AUDIT = """async tags => {
    const asked = { runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] };
    const { violations } = await axe.run(document, asked);
    return violations.map(({ id, nodes }) =>
        `${id}: ` + nodes.slice(0, 4).map(({ target, failureSummary }) => `${target} (${failureSummary})`).join('; '));
}"""

SCREENS = [({"width": 360, "height": 740}, "light"), ({"width": 1440, "height": 900}, "dark")]


async def audit(page):
    """What is wrong with the page as it is now, in words."""
    # The policy of the page lets no script in; the debugger is not bound by it.
    if await page.evaluate("typeof axe === 'undefined'"):
        await page.evaluate(AXE.read_text(encoding="utf-8"))
    return await page.evaluate(AUDIT, STANDARD)
