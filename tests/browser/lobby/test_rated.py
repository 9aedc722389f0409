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
    players = [await member(name) for name in ("Anna", "Boris")]
    yield [await Visitor(player, host.site).arrive() for player in players]
    for player in players:
        # What a seek refuses is no error.
        player.problems = [problem for problem in player.problems if "403" not in problem]


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


async def test_who_asks_for_a_rating_is_found_only_by_those_who_have_it(members):
    anna, boris = members
    await anna.choose("gothic")
    await anna.unfold_own_seek()
    await anna.page.fill("#seek-lowest", "1600")
    await anna.page.fill("#seek-highest", "50")
    await anna.page.click("#find")
    await expect(anna.page.locator("#seek-highest:invalid")).to_be_focused()
    await anna.page.fill("#seek-highest", "")
    await anna.page.click("#find")
    await anna.waits()
    await expect(anna.page.locator("#waiting-text")).to_contain_text("opponent's rating from 1600")
    row = boris.row("Gothic Chess")
    await expect(row).to_contain_text("Anna 1500?")
    await expect(row).to_contain_text("from 1600")
    await boris.takes("Gothic Chess")
    await expect(boris.page.locator("#problem")).to_contain_text("rated 1600 or higher; you have 1500? in such games")
    await anna.page.click("#waiting-cancel")
    await expect(anna.page.locator("#waiting")).to_be_hidden()
    await anna.page.fill("#seek-lowest", "1400")
    await anna.page.click("#find")
    await anna.waits()
    await boris.takes("from 1400")
    await anna.is_playing()


async def test_a_guest_has_no_range_to_choose(visitor):
    guest = await visitor()
    await guest.unfold_own_seek()
    await expect(guest.page.locator("#seek-lowest")).to_have_count(0)
