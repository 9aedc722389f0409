"""An arena in real browsers: announced by a form, joined, played without a look at the clock, and over."""

from dataclasses import replace

import pytest
from playwright.async_api import expect

from server.games.clocks.time_control import TimeControl
from server.games.player import Player
from server.games.tournaments.tournament import TournamentTerms, announced
from server.web.site import SITE
from tests.support.browser.accessibility import audit
from tests.support.browser.player import fill_in
from tests.support.browser.screens import PHONE, assert_no_sideways_scroll

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

FIVE_MINUTES = TimeControl.realtime(300_000, 3_000)


@pytest.fixture
def begun(host):
    """Announces an arena that has begun this moment, for which nobody has to wait. Returns its path."""

    async def begin(name, minutes=30):
        site = host.runner.app[SITE]
        now = site.now()
        terms = TournamentTerms(name, "arena", "chess", False, FIVE_MINUTES, False, now, minutes)
        made = announced("Arena00001", Player("nobody-id", "Wilma"), terms, now)
        await site.store.tournaments.announce_tournament(made)
        return f"/tournament/{made.id}"

    return begin


async def test_somebody_announces_an_arena_by_one_press_and_calls_it_off(seat):
    anna = await seat(**PHONE)
    await fill_in(anna, "/register", "Anna")
    page = anna.page
    await page.goto(f"{anna.site}/tournaments")
    assert await audit(page) == []
    await page.get_by_role("main").get_by_role("link", name="New tournament").click()
    await expect(page.locator("h1")).to_have_text("New tournament")
    await assert_no_sideways_scroll(page)
    assert await audit(page) == []
    await page.get_by_role("button", name="Announce it").click()
    await expect(page.locator("h1")).to_have_text("Chess arena")
    await expect(page.locator("#mine-title")).to_have_text("Will you play?")
    await page.get_by_role("button", name="Join").click()
    await expect(page.locator("#mine-title")).to_have_text("You have joined")
    await expect(page.locator("#rows .me")).to_contain_text("Anna")
    await assert_no_sideways_scroll(page)
    assert await audit(page) == []
    await page.goto(f"{anna.site}/tournaments")
    await expect(page.get_by_role("region", name="Coming")).to_contain_text("Chess arena")
    await expect(page.get_by_role("region", name="Coming")).to_contain_text("joined")
    await page.get_by_role("link", name="Chess arena").click()
    await page.get_by_text("End the tournament now").click()
    await page.get_by_role("button", name="Yes, end it").click()
    await expect(page.locator("#mine-title")).to_have_text("The tournament was cancelled")


async def test_two_who_are_on_the_page_play_and_the_table_says_how_it_ended(seat, begun):
    path = await begun("Thursday's arena")
    anna, ben, watcher = await seat(), await seat(**PHONE), await seat()
    for person, name in ((anna, "Anna"), (ben, "Ben")):
        await fill_in(person, "/register", name)
        await person.page.goto(person.site + path)
        await person.page.get_by_role("button", name="Join").click()
    await watcher.page.goto(watcher.site + path)
    for person in (anna, ben):
        await person.page.wait_for_url(lambda url: "/tournament/" not in url)
        await expect(person.page.locator("#board cg-board")).to_be_visible()
    await expect(watcher.page.locator("#boards a")).to_have_count(1)
    await expect(watcher.page.locator("#rows")).to_contain_text("playing")
    anna_begins = "White" in await anna.page.locator("#seat-bottom").inner_text()
    first, second = (anna, ben) if anna_begins else (ben, anna)
    await second.page.get_by_role("button", name="Halve my time").click()
    await expect(second.page.locator("#clock-bottom")).to_have_text("2:30")
    await first.click("e2", "e4")
    await second.click("e7", "e5")
    await expect(first.page.locator("#move-list")).to_contain_text("e5")
    await first.click("g1", "f3")
    await expect(second.page.locator("#move-list")).to_contain_text("Nf3")
    await first.resign()
    # Who is back and does not pause is led to the next game as soon as the other is back, too.
    await first.page.get_by_role("link", name="Back to the tournament").click()
    await first.page.get_by_role("button", name="Pause").click()
    await expect(first.page.locator("#mine-title")).to_have_text("You are paused")
    await second.page.get_by_role("link", name="Back to the tournament").click()
    await expect(second.page.locator("h1")).to_have_text("Thursday's arena")
    await expect(watcher.page.locator("#rows tr").first).to_contain_text("2")
    await expect(second.page.locator("#rows tr").first).to_contain_text("you")
    assert await audit(watcher.page) == []
    await expect(second.page.locator("#mine-title")).to_have_text("Nobody else is free")


async def change_the_only_result_to_a_draw(page):
    """As the organiser, on the page of rounds; back again the table has it."""
    await page.get_by_role("link", name="All rounds and results").click()
    await expect(page.get_by_role("heading", name="Boards of round 1")).to_be_visible()
    assert await audit(page) == []
    await page.locator("summary").click()
    await page.get_by_label("The result is").select_option(label="drawn")
    await page.get_by_role("button", name="Correct").click()
    await expect(page.locator(".score")).to_contain_text("½ – ½")
    await expect(page.get_by_role("region", name="What the organisers have done")).to_contain_text(
        "Olga changed round 1"
    )
    await assert_no_sideways_scroll(page)
    await page.get_by_role("link", name="Back to the tournament").click()
    await expect(page.locator("#rows .gc.d")).to_have_count(2)


async def test_a_swiss_is_announced_joined_and_paired_round_by_round_as_its_organiser_says(seat, host):
    olga, anna, ben = await seat(), await seat(**PHONE), await seat()
    await fill_in(olga, "/register", "Olga")
    page = olga.page
    await page.goto(f"{olga.site}/tournaments/new")
    await page.get_by_text("Swiss", exact=True).click()
    await expect(page.get_by_text("For how long?")).to_be_hidden()
    await page.get_by_text("I begin each", exact=True).click()
    await page.get_by_label("Rounds", exact=True).fill("3")
    assert await audit(page) == []
    await page.get_by_role("button", name="Announce it").click()
    await expect(page.locator("h1")).to_have_text("Chess Swiss")
    await expect(page.locator(".terms")).to_contain_text("3 rounds")
    path = page.url.removeprefix(olga.site)
    for person, name in ((anna, "Anna"), (ben, "Ben")):
        await fill_in(person, "/register", name)
        await person.page.goto(person.site + path)
        await person.page.get_by_role("button", name="Join").click()
        await expect(person.page.locator("#mine-title")).to_have_text("You have joined")
    # It begins this moment.
    store = host.runner.app[SITE].store.tournaments
    made = await store.find_tournament(path.rsplit("/", 1)[1])
    now = host.runner.app[SITE].now()
    earlier = replace(made, terms=replace(made.terms, starts=now), rev=made.rev + 1)
    assert await store.change_tournament(earlier)
    for person in (anna, ben):
        await person.page.wait_for_url(lambda url: "/tournament/" not in url)
    await expect(page.locator("#clock")).to_have_text("1/3")
    begin = page.get_by_role("button", name="Begin the next round")
    await expect(begin).to_be_hidden()
    first_game = anna.page.url
    anna_begins = "White" in await anna.page.locator("#seat-bottom").inner_text()
    white, black = (anna, ben) if anna_begins else (ben, anna)
    await white.click("e2", "e4")
    await black.click("e7", "e5")
    await expect(white.page.locator("#move-list")).to_contain_text("e5")
    await white.resign()
    for person in (anna, ben):
        await person.page.get_by_role("link", name="Back to the tournament").click()
        await expect(person.page.locator("#mine-title")).to_have_text("The round is over")
        await assert_no_sideways_scroll(person.page)
        assert await audit(person.page) == []
    await change_the_only_result_to_a_draw(page)
    await anna.page.get_by_role("button", name="Not the next round").click()
    await expect(anna.page.locator("#mine-title")).to_have_text("You are not in the next round")
    await anna.page.get_by_role("button", name="Play on").click()
    await expect(anna.page.locator("#mine-title")).to_have_text("The round is over")
    await begin.click()
    for person in (anna, ben):
        await person.page.wait_for_url(lambda url: "/tournament/" not in url and url != first_game)
    await expect(page.locator("#clock")).to_have_text("2/3")
