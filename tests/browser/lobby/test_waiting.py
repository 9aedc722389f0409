"""Those who wait for an opponent, in real browsers: on other pages, with the page closed, cut off, over a restart."""

import asyncio
import signal

import pytest
from playwright.async_api import expect

from tests.support.browser.visitor import Visitor
from tests.support.patience import PATIENCE_S

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.browser]

SEEKS_SEEN = """() => {
    const list = document.getElementById('seeks');
    const words = () => [...list.children].map(row => (row.classList.contains('gone') ? 'gone' : 'here')).join(' ');
    window.seen = [words()];
    new MutationObserver(() => seen.push(words())).observe(list, { subtree: true, childList: true, attributes: true });
}"""
"""Writes down, each time the list of seeks changes, which of its rows are there and which are going."""


async def test_ones_own_seek_survives_a_reload_and_a_second_tab_and_can_be_cancelled(visitor):
    anna, ben = await visitor(), await visitor()
    await anna.quick("60+0")
    await anna.waits()
    second = await anna.context.new_page()
    await second.goto(f"{anna.site}/rules")
    await anna.page.reload()
    await anna.waits()
    await expect(ben.page.locator("#seeks .seek")).to_have_count(1)
    await anna.page.click("#waiting-cancel")
    await expect(ben.page.locator("#seeks .seek")).to_have_count(0)
    await expect(anna.page.locator("#waiting-cancel")).to_be_hidden()


async def test_a_seeker_who_reads_another_page_is_told_there(visitor):
    anna, ben = await visitor(), await visitor()
    await anna.choose("gothic")
    await anna.quick("300+3")
    await anna.waits()
    await anna.goes(f"{anna.site}/rules/gothic")
    await ben.takes("Gothic")
    game = await ben.is_playing()
    await anna.page.locator(".notification-bar a").click()
    assert await anna.is_playing() == game


async def test_a_press_counts_though_the_seeker_goes_to_another_page_meanwhile(visitor, seat, host):
    anna, presser = await visitor(), await seat()
    ben = await Visitor(presser, host.site).arrive()
    await anna.quick("300+3")
    await anna.waits()
    await ben.row("Chess").hover()
    await presser.stop_time()  # until then the row of a seek that is gone keeps its place
    ben.heard.clear()
    await ben.page.mouse.down()
    await anna.goes(f"{anna.site}/rules/chess")
    await ben.hears("seek_added")
    await expect(ben.row("Chess").get_by_role("button")).to_be_enabled()
    await ben.page.clock.resume()
    await ben.page.mouse.up()
    await ben.is_playing()


async def test_a_player_left_alone_at_a_board_is_told_that_they_wait_again(visitor):
    """The minute in which nobody comes is left out: the page of the game says that it is over, and the seek stands."""
    anna, ben = await visitor(), await visitor()
    await anna.quick("300+3")
    await anna.waits()
    mine = await anna.page.evaluate(
        "fetch('/api/seeks').then(answer => answer.json()).then(({ seeks }) => seeks[0].by)"
    )
    await expect(ben.page.locator("#seeks .seek")).to_have_count(1)
    await anna.page.goto("about:blank")
    await expect(ben.page.locator("#seeks .seek")).to_have_count(0)
    await anna.page.goto(f"{anna.site}/rules")
    await anna.page.evaluate("localStorage.clear()")
    await anna.page.goto(f"{anna.site}/rules/gothic")
    await expect(ben.page.locator("#seeks .seek")).to_have_count(0)
    said = f"document.dispatchEvent(new CustomEvent('waited-in-vain', {{ detail: '{mine}' }}))"
    await anna.page.evaluate(said)
    await expect(anna.page.locator("#notification")).to_contain_text("waiting for an opponent again")
    await ben.takes("Chess")
    game = await ben.is_playing()
    await anna.page.locator(f'#notification a[href="{game.removeprefix(anna.site)}"]').click()


async def test_a_seeker_who_opens_another_page_keeps_their_place_in_the_list(visitor, seat, host):
    anna, carla, reader = await visitor(), await visitor(), await seat()
    ben = await Visitor(reader, host.site).arrive()
    for one, clock in ((anna, "300+3"), (carla, "600+5")):
        await one.quick(clock)
        await one.waits()
    await expect(ben.page.locator("#seeks .seek")).to_have_count(2)
    await reader.stop_time()
    await ben.page.evaluate(SEEKS_SEEN)
    await anna.goes(f"{anna.site}/rules")
    await ben.page.wait_for_function("() => seen.includes('gone here') && seen.at(-1) === 'here here'")
    await ben.page.clock.run_for(2000)  # longer than a row that is gone keeps its place
    assert set(await ben.page.evaluate("seen")) == {"here here", "gone here"}


async def test_a_game_of_days_is_taken_while_its_maker_is_away(visitor, seat):
    anna = await visitor()
    await anna.choose("shouse")
    await anna.quick("3d")
    await anna.waits()
    await anna.page.close()
    ben = await visitor()
    await ben.takes("S-House")
    game = await ben.is_playing()
    again = await anna.context.new_page()
    await again.goto(f"{anna.site}/")
    await again.locator("#your-games-list a").click()
    await expect(again.locator("#round cg-board")).to_be_visible()
    assert again.url == game


async def test_a_correspondence_game_does_not_take_people_away(visitor):
    anna, ben = await visitor(), await visitor()
    await anna.quick("3d")
    await anna.waits()
    await ben.page.locator("#seeks .seek").click()
    game = await ben.is_playing()
    await anna.page.locator("#waiting-text a").click()
    assert await anna.is_playing() == game


async def test_a_player_cut_off_while_their_seek_is_taken_comes_to_the_game(visitor, seat, host):
    """The server has not noticed yet that the connection is gone; and the first answer after it is lost as well."""
    player = await seat()
    anna = Visitor(player, host.site)
    lines, cut, lost = [], asyncio.Event(), asyncio.Event()

    async def connect(line):
        if cut.is_set():
            await line.close()
            return
        line.connect_to_server()
        line.on_close(lambda code, reason: None)
        lines.append(line)

    await anna.page.route_web_socket("**/ws/lobby", connect)
    await anna.arrive()
    await anna.quick("180+2")
    await anna.waits()
    cut.set()
    await lines[-1].close()
    await anna.loses_the_line()
    ben = await visitor()
    await ben.page.locator("#seeks .seek").click()
    game = await ben.is_playing()
    cut.clear()

    async def lose(route):
        await route.fulfill(status=503)
        lost.set()

    await anna.page.route("**/api/seeks/*/game", lose, times=1)
    await anna.page.evaluate("window.dispatchEvent(new Event('online'))")
    await asyncio.wait_for(lost.wait(), PATIENCE_S)
    await lines[-1].close()
    await anna.page.evaluate("window.dispatchEvent(new Event('online'))")
    assert await anna.is_playing() == game
    player.problems = [problem for problem in player.problems if "503" not in problem]


async def test_a_player_who_closed_the_page_is_not_offered_and_one_who_is_back_is(visitor):
    anna, ben = await visitor(), await visitor()
    await anna.quick("180+2")
    await anna.waits()
    await expect(ben.page.locator("#seeks .seek")).to_have_count(1)
    await anna.page.goto("about:blank")
    await expect(ben.page.locator("#seeks .seek")).to_have_count(0)
    await anna.arrive()
    await anna.waits()
    await ben.page.locator("#seeks .seek").click()
    assert await ben.is_playing() == await anna.is_playing()


@pytest.mark.killed
async def test_a_killed_server_comes_back_with_every_seek(visitor, host):
    anna, ben = await visitor(), await visitor()
    await anna.choose("shogun")
    await anna.quick("300+3")
    await anna.waits()
    await host.stop(signal.SIGKILL)
    await anna.loses_the_line()
    await host.start()
    await ben.arrive()
    await anna.reconnects()
    await ben.takes("Shogun")
    assert await ben.is_playing() == await anna.is_playing()
