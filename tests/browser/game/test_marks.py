"""Letters under heaps of marks, as a real browser draws them: no line of the chat runs into another (I3)."""

from io import BytesIO

import pytest
from PIL import Image
from playwright.async_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

ABOVE, BELOW, THROUGH = "\u0301", "\u0323", "\u0335"
HEAPS = (
    "Z" + ABOVE * 10_000,  # of which the field takes what a line may have
    "Z" + BELOW * 139,
    "".join(letter + (ABOVE + BELOW + THROUGH) * 3 for letter in "Zalgo came"),
)
KEPT = 0.5
"""This part of a plain line's height, in its middle, belongs to that line alone: two marks may reach over the rest."""

HIDE = "(lines, hidden) => lines.forEach(line => { line.style.visibility = hidden ? 'hidden' : ''; })"


async def middle(line):
    """The pixels of what belongs to the line alone."""
    image = Image.open(BytesIO(await line.screenshot())).convert("RGB")
    edge = round(image.height * (1 - KEPT) / 2)
    return image.crop((0, edge, image.width, image.height - edge)).tobytes()


@pytest.mark.row("I3")
async def test_heaps_of_marks_make_no_line_higher_and_reach_into_no_other(pair, counted):
    plain, heaping = await pair("chess")
    lines = plain.page.locator("#chat-lines li")
    said = ["plain 0"]
    for number, heap in enumerate(HEAPS, start=1):
        said += [heap, f"plain {number}"]
    for number, text in enumerate(said):
        person = heaping if number % 2 else plain
        await person.look_at("chat")
        await person.page.fill("#chat-text", text)
        await person.page.press("#chat-text", "Enter")
        await expect(lines).to_have_count(number + 1)
    heights = [(await line.bounding_box())["height"] for line in await lines.all()]
    assert max(heights) - min(heights) <= 1, heights
    harmless = [line for line in await lines.all() if "plain" in await line.inner_text()]
    heaps = plain.page.locator("#chat-lines li:not(:has-text('plain'))")
    assert await heaps.count() == len(HEAPS)
    beside = [await middle(line) for line in harmless]
    await heaps.evaluate_all(HIDE, True)
    assert beside == [await middle(line) for line in harmless]
    counted("heaps", len(HEAPS))
