"""A game against the computer, begun as people begin it."""

from playwright.async_api import expect


async def sits_down(person, variant="chess", level="1", color="white", **fields):
    """Begins a game by the form of the page, and opens its board."""
    query = "&".join(f"{name}={value}" for name, value in {"variant": variant, **fields}.items())
    await person.page.goto(f"{person.site}/computer?{query}")
    for name, value in (("level", level), ("color", color)):
        await person.page.check(f"input[name={name}][value='{value}']", force=True)
    await person.page.click("#computer-form button")
    await expect(person.page.locator("#board cg-board")).to_be_visible()


async def record(person):
    answer = await person.context.request.get(f"{person.site}/api/games{person.page.url.removeprefix(person.site)}")
    return await answer.json()
