"""What moves while a page loads, as the browser measures it."""

import asyncio

from playwright.async_api import expect

SCREENS = [(1440, 900), (820, 1180), (360, 740)]
WATCH = """() => {
    globalThis.shifts = [];
    const name = ({ node }) => node?.id || node?.className || node?.nodeName;
    const told = ({ value, sources }) => `${value.toFixed(4)}: ${sources.map(name)}`;
    const seen = ({ value }) => value >= 0.00005;
    const observer = new PerformanceObserver(list => shifts.push(...list.getEntries().filter(seen).map(told)));
    observer.observe({ type: 'layout-shift', buffered: true });
}"""
SETTLED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))))"


async def late_scripts(page):
    """Scripts arrive after the page has been painted without them, as on a slow connection."""

    async def after_the_first_picture(route):
        await asyncio.sleep(0.25)
        await route.continue_()

    await page.add_init_script(f"({WATCH})()")
    await page.route(lambda address: address.endswith(".js") and "/appearance" not in address, after_the_first_picture)


async def shifts(person, path, complete):
    await person.page.goto(f"{person.site}{path}")
    await expect(person.page.locator(complete).first).to_be_visible()
    await person.page.evaluate(SETTLED)
    return await person.page.evaluate("shifts")
