"""Rated or casual: what the front page says is what is sought, and it is remembered."""

import pytest
import pytest_asyncio
from playwright.async_api import expect

from tests.support.browser.visitor import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SEEKS = "fetch('/api/seeks').then(answer => answer.json()).then(({ seeks }) => seeks)"
FORGETS = "for (const key of ['seek-rated', 'new-game']) localStorage.removeItem(key)"


@pytest_asyncio.fixture(loop_scope="session")
async def members(member, host):
    """Anna and Boris, on the front page."""
    return [await Visitor(await member(name), host.site).arrive() for name in ("Anna", "Boris")]


async def chooses(person, words):
    await person.page.locator(".play-now .seg label", has_text=words).click()


async def test_after_a_rated_game_the_switch_says_what_is_sought(members):
    anna, boris = members
    for person in members:
        await chooses(person, "Rated")
        await person.choose("gothic")
        await person.quick("300+3")
        if person is anna:
            await anna.waits()
    for person in members:
        await person.is_playing()
    await boris.page.click("#abort")
    again = anna.page.get_by_role("link", name="New opponent")
    await expect(again).to_be_visible()
    await anna.page.evaluate(FORGETS)
    await again.click()
    await anna.waits()
    (seek,) = await anna.page.evaluate(SEEKS)
    assert (seek["variants"], seek.get("rated")) == (["gothic"], True)
    await expect(anna.page.locator("#waiting-text")).to_contain_text("rated")
    await expect(anna.page.get_by_label("Rated", exact=True)).to_be_checked()
    await expect(anna.page.locator("#chosen-name")).to_have_text("Gothic Chess")
    await boris.arrive()
    await expect(boris.page.locator("#first-seek-words")).to_have_text("Gothic Chess · 5+3 · rated · Anna")


async def test_what_was_chosen_is_chosen_again_on_the_next_visit(members):
    anna, _ = members
    for words in ("Rated", "Casual"):
        await chooses(anna, words)
        await anna.arrive()
        await expect(anna.page.get_by_label(words, exact=True)).to_be_checked()
