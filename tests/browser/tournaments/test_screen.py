"""The screen of a hall: large letters on screens of every shape, and one slide after another."""

import pytest
from playwright.async_api import expect

from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.tournaments.tournament import Entrant, Scoring, TournamentTerms, announced
from server.web.site import SITE
from tests.support.browser.accessibility import audit
from tests.support.browser.screens import assert_no_sideways_scroll

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SHAPES = ({"width": 1920, "height": 1080}, {"width": 1280, "height": 720}, {"width": 1024, "height": 768})


@pytest.fixture
async def cup(host):
    """A Swiss that twenty people have joined."""
    site = host.runner.app[SITE]
    now = site.now()
    terms = TournamentTerms(
        *("The evening of the long names", "swiss", "chess", False, TimeControl.realtime(300_000, 3_000), False),
        *(now + 3_600_000, 0, Scoring.PLAIN),
        berserk=False,
        rounds=5,
        rest_s=60,
    )
    made = announced("Screen0001", Player("nobody-id", "Wilma"), terms, now)
    await site.store.tournaments.announce_tournament(made)
    for number in range(20):
        person = Player(f"person-{number:02}", f"A_person_with_a_long_name_{number:02}")
        await site.store.tournaments.keep_entrant(made.id, None, Entrant(person, 1500 + number, False, now))
    return made.id


async def test_eight_lines_fill_the_screen_and_capitals_are_a_twenty_fifth_of_it(host, seat, cup):
    anna = await seat()
    page = anna.page
    await page.goto(f"{anna.site}/screen/{cup}")
    await expect(page.locator(".lines li")).to_have_count(8)
    for shape in SHAPES:
        await page.set_viewport_size(shape)
        await assert_no_sideways_scroll(page)
        tall = await page.evaluate("document.documentElement.scrollHeight")
        size = await page.locator(".names").first.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
        assert tall <= shape["height"]
        # Capitals are seven tenths of the size.
        assert 0.7 * size >= shape["height"] / 27
        assert await audit(page) == []


async def test_it_goes_from_slide_to_slide_by_itself(host, seat, cup):
    anna = await seat()
    page = anna.page
    await page.goto(f"{anna.site}/screen/{cup}")
    await expect(page.locator("h2")).to_contain_text("1/3")
    await expect(page.locator("h2")).to_contain_text("2/3", timeout=30_000)
    await expect(page.locator("#stale")).to_be_hidden()
