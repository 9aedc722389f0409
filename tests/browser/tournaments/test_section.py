"""A section of everyone against everyone in a real browser: announced, entered and left by somebody, and its table."""

import pytest
from playwright.async_api import expect

from server.games.changes.ending import Resign
from server.games.changes.playing import PlayMove
from server.games.player import Player
from server.games.seeks import Seeker
from server.web.site import SITE
from tests.support.browser.accessibility import audit
from tests.support.browser.player import fill_in
from tests.support.browser.screens import PHONE, assert_no_sideways_scroll

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

OTHERS = [Player(f"{name}-id-00", name) for name in ("Benedict-of-Nursia", "Carla", "Dora", "Emil", "Fay", "Gus")]


async def begin(host, path):
    """Six others enter, all games begin, and the next section opens. Returns how the section stands."""
    site, section = host.runner.app[SITE], path.rpartition("/")[2]
    live = site.live.tournaments
    for one in OTHERS:
        await live.join(section, Seeker(one, True))
    while len(await site.store.tournaments.sections_of(section)) < 2:
        await live.tick_sections()
    return await live.look(section)


async def win(host, section, pairing):
    """White wins that game, and the section knows."""
    site = host.runner.app[SITE]
    found = await site.rounds.get(pairing.game)
    for ply, move in enumerate(("e2e4", "e7e5")):
        await found.submit(PlayMove(found.game.to_move, move, ply), site.now())
    await found.submit(Resign(found.game.to_move.other), site.now())
    while pairing.game not in (await site.live.tournaments.look(section)).results:
        await site.live.tournaments.tick_sections()


async def test_somebody_announces_a_section_enters_it_and_finds_the_game_that_waits(host, seat):
    anna = await seat(**PHONE)
    await fill_in(anna, "/register", "Anna")
    page = anna.page
    await page.goto(f"{anna.site}/tournaments/new")
    await page.get_by_text("Everyone against everyone").click()
    await expect(page.get_by_text("When does it begin?")).to_be_hidden()
    await page.get_by_role("group", name="How many players in a section?").get_by_text("7", exact=True).click()
    await assert_no_sideways_scroll(page)
    assert await audit(page) == []
    await page.get_by_role("button", name="Announce it").click()
    await expect(page.locator("h1")).to_have_text("Chess, all against all, section 1")
    path = page.url.removeprefix(anna.site)
    await page.get_by_role("button", name="Enter", exact=True).click()
    await expect(page.locator("#mine-title")).to_have_text("You have entered")
    await assert_no_sideways_scroll(page)
    assert await audit(page) == []

    view = await begin(host, path)
    own = next(one.person.id for one in view.entrants.values() if one.person.name == "Anna")
    others = [one for one in view.under_way if own not in (one.white, one.black)]
    await win(host, path.rpartition("/")[2], others[0])
    await page.goto(f"{anna.site}{path}")
    await expect(page.locator("#mine-title")).to_contain_text("It is your move in 3 games")
    table = page.get_by_role("table")
    await expect(table.get_by_role("row")).to_have_count(8)
    await expect(page.get_by_text("1 of 21")).to_be_visible()
    await assert_no_sideways_scroll(page)
    assert await audit(page) == []
    link = page.locator(".mine-go").get_by_role("link", name="To your game")
    game = await link.get_attribute("href")
    await link.click()
    await page.wait_for_url(f"{anna.site}{game}**")


async def test_who_withdraws_is_asked_once_more_and_then_has_no_game(host, seat):
    anna = await seat()
    await fill_in(anna, "/register", "Anna")
    page = anna.page
    await page.goto(f"{anna.site}/tournaments/new")
    await page.get_by_text("Everyone against everyone").click()
    await page.get_by_role("group", name="How many players in a section?").get_by_text("7", exact=True).click()
    await page.get_by_role("button", name="Announce it").click()
    await expect(page.locator("h1")).to_have_text("Chess, all against all, section 1")
    path = page.url.removeprefix(anna.site)
    await page.get_by_role("button", name="Enter", exact=True).click()
    await expect(page.locator("#mine-title")).to_have_text("You have entered")
    await begin(host, path)
    await page.goto(f"{anna.site}{path}")
    await page.get_by_text("Withdraw", exact=True).click()
    await page.get_by_role("button", name="Yes, withdraw").click()
    await expect(page.locator("#mine-title")).to_have_text("You have withdrawn")
    await expect(page.get_by_text("none of their games counts: Anna.")).to_be_visible()
    await page.get_by_role("link", name="To the open section").click()
    await expect(page.locator("h1")).to_have_text("Chess, all against all, section 2")
