"""A phone, and where things stand on a screen when all has found its place there."""

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


BOXES = """selectors => selectors.map(selector => {
    const { x, y, width, height } = document.querySelector(selector)?.getBoundingClientRect() ?? {};
    return [selector, width && height ? { x, y, width, height } : null];
})"""


async def laid_out(page):
    """Returns when the page has shown what it is now: a board learns of its room only between two pictures."""
    await page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


async def boxes(page, *selectors):
    """Where each of them stands in the window, all at the same moment."""
    await laid_out(page)
    found = dict(await page.evaluate(BOXES, selectors))
    assert all(found.values()), f"not all are shown: {found}"
    return found


def assert_inside(box, viewport, name):
    """A pixel of grace for rounding."""
    for start, length, room in (("x", "width", viewport["width"]), ("y", "height", viewport["height"])):
        assert -1 <= box[start] <= box[start] + box[length] <= room + 1, (name, box, viewport)


async def assert_no_sideways_scroll(page):
    await laid_out(page)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


AREAS = """all => all.map(each => {
    const { left, top, right, bottom } = each.getBoundingClientRect();
    return [left, top, right, bottom];
})"""


async def areas(page, selector):
    """What the shown ones cover, in the window: (left, top, right, bottom) each."""
    await laid_out(page)
    found = await page.locator(f"{selector}:visible").evaluate_all(AREAS)
    assert found, f"no {selector} is shown"
    return found
