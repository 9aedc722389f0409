"""What happens around the moves, seen in real browsers: a dead server, offers, watchers, the end, the next game."""

import signal

import pytest
from playwright.async_api import expect

from tests.support.browser.player import all_see, all_write
from tests.support.browser.screens import areas

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]


@pytest.mark.killed
async def test_a_move_made_while_the_server_is_dead_arrives_when_it_is_back(pair, host):
    white, black = await pair("chess")
    await white.click("e2", "e4")
    await all_see((white, black), "e4")
    await host.stop(signal.SIGKILL)
    for person in (white, black):
        await expect(person.page.locator("#status")).to_contain_text("Connection lost")
    await black.click("e7", "e5")
    await host.start()
    for person in (white, black):
        await person.reconnects()
    await all_see((white, black), "e4", "e5")
    await white.click("g1", "f3")
    await all_see((white, black), "e4", "e5", "Nf3")


async def test_a_late_look_back_offers_talk_resignation_and_the_next_game(pair, seat):
    white, black = await pair("chess")
    await white.click("e2", "e4")
    await black.click("e7", "e5")
    await all_see((white, black), "e4", "e5")
    watcher = await seat()
    await watcher.open(white.page.url)
    await looks_back(watcher)
    await all_see((white, black, watcher), "e4", "e5")
    await white.page.click("#takeback")
    await black.page.get_by_role("button", name="Decline").click()
    await expect(white.page.locator("#status")).to_contain_text("Your opponent declines the takeback.")
    await black.page.click("#takeback")
    await white.accept()
    await all_see((white, black, watcher), "e4")
    await white.look_at("chat")
    await white.page.fill("#chat-text", "<b>hello</b>")
    await white.page.press("#chat-text", "Enter")
    await expect(black.page.locator("#chat-lines")).to_contain_text("<b>hello</b>")
    await expect(watcher.page.locator("#chat-lines li")).to_have_count(0)
    await black.resign()
    for person, words in ((white, "You won"), (black, "You lost"), (watcher, "White won")):
        await expect(person.page.locator("#ending-title")).to_have_text(words)
        await expect(person.page.locator("#result")).to_have_text("1-0. Black resigned.")
    await white.page.click("#rematch")
    await black.accept()
    await expect(white.page.locator("#seat-bottom")).to_contain_text("Black · you")
    await expect(black.page.locator("#seat-bottom")).to_contain_text("White · you")
    await expect(black.page.get_by_role("tab", name="Moves")).to_have_attribute("aria-selected", "true")
    await black.click("d2", "d4")
    await all_see((white, black), "d4")
    await expect(watcher.page.locator("#offers a")).to_have_attribute("href", white.page.url.removeprefix(white.site))


async def looks_back(person):
    """After 1 e4 e5."""
    await person.page.click("#nav-prev")
    await expect(person.page.locator(".ply button[aria-current]")).to_have_text("e4")
    cells = person.page.locator("#text-board td")
    await expect(cells.filter(has_text="black pawn")).to_have_count(8)
    await person.page.keyboard.press("Home")
    await expect(person.page.locator(".ply button[aria-current]")).to_have_count(0)
    await person.page.keyboard.press("End")
    await expect(person.page.locator(".ply button[aria-current]")).to_have_text("e5")


async def test_an_offer_is_in_view_however_far_the_panel_was_scrolled(pair):
    white, black = await pair("grandhouse")
    await all_write((white, black), "e4", "f7")
    await black.look_at("chat")
    await white.offer_draw()
    accept = black.page.locator("#offers").get_by_role("button", name="Accept")
    await expect(accept).to_be_in_viewport(ratio=1)
    await expect(black.page.locator(".offer.shielded")).to_have_count(0)
    ((left, top, right, bottom),) = await areas(black.page, "#offers button:has-text('Accept')")
    middle = (left + right) / 2, (top + bottom) / 2
    assert await black.page.evaluate("([x, y]) => document.elementFromPoint(x, y).innerText", middle) == "Accept"


async def test_an_opponent_who_has_left_can_be_claimed_against(pair):
    white, black = await pair("chess")
    await white.click("e2", "e4")
    await black.click("e7", "e5")
    await white.sees("e4", "e5")
    await black.page.close(run_before_unload=True)
    await white.page.click("button:has-text('Claim the win')")
    await expect(white.page.locator("#result")).to_have_text("1-0. Black left the game.")


async def test_a_game_is_put_off_and_taken_up_again_when_both_are_ready(pair):
    white, black = await pair("crazyhouse")
    await white.click("e2", "e4")
    await black.click("e7", "e5")
    await all_see((white, black), "e4", "e5")
    await white.open_more()
    await white.page.click("#adjourn")
    await black.accept()
    for person in (white, black):
        await expect(person.page.locator("#offers")).to_contain_text("The clocks stand still")
    stands = await white.page.locator("#clock-bottom").inner_text()
    await white.click("g1", "f3")
    await white.page.reload()
    await white.page.get_by_role("button", name="I am ready to resume").click()
    await expect(black.page.locator("#offers")).to_contain_text("Your opponent is ready")
    await expect(white.page.locator("#clock-bottom")).to_have_text(stands)
    await black.page.get_by_role("button", name="I am ready to resume").click()
    for person in (white, black):
        await expect(person.page.locator("#offers")).to_be_empty()
    await white.click("g1", "f3")
    await all_see((white, black), "e4", "e5", "Nf3")


async def test_a_game_of_days_is_paused_and_goes_on_when_one_player_says_so(pair):
    white, black = await pair("chess", clock={"kind": "bank", "initial": 10, "increment": 1, "cap": 30})
    for person, *sans in ((white, "e4"), (black, "e4", "e5")):
        await person.write(sans[-1])
        await person.confirm()
        await all_see((white, black), *sans)
    await white.open_more()
    await white.page.click("#adjourn")
    await expect(black.page.locator("#offers")).to_contain_text("asks to pause the game")
    await black.accept()
    for person in (white, black):
        await expect(person.page.locator("#offers")).to_contain_text("Either of you can end the pause at any time")
    await black.page.get_by_role("button", name="End the pause").click()
    for person in (white, black):
        await expect(person.page.locator("#offers")).to_be_empty()
    await white.write("Nf3")
    await white.confirm()
    await all_see((white, black), "e4", "e5", "Nf3")
