"""A phone, and where things stand on a screen."""

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


async def boxes(page, *selectors):
    found = {}
    for selector in selectors:
        box = await page.locator(selector).bounding_box()
        assert box is not None, f"{selector} is not shown"
        found[selector] = box
    return found


def assert_inside(box, viewport, name):
    """A pixel of grace for rounding."""
    for start, length, room in (("x", "width", viewport["width"]), ("y", "height", viewport["height"])):
        assert -1 <= box[start] <= box[start] + box[length] <= room + 1, (name, box, viewport)


async def assert_no_sideways_scroll(page):
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def areas(page, selector):
    """What the shown ones cover, in the window: (left, top, right, bottom) each."""
    boxes = [await each.bounding_box() for each in await page.locator(f"{selector}:visible").all()]
    assert boxes, f"no {selector} is shown"
    return [(box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]) for box in boxes]
