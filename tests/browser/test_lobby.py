"""Finding an opponent in real browsers: seeks, quick pairing, surprise, games of days, and what the line carries."""

import asyncio
import gzip
import json
import re
import signal

import pytest
from playwright.async_api import expect

from tests.browser.test_access import SCREENS, audit

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.browser]

GAME = re.compile(r"/[0-9A-Za-z]{10}$")


SEEKS_SEEN = """() => {
    const list = document.getElementById('seeks');
    const words = () => [...list.children].map(row => (row.classList.contains('gone') ? 'gone' : 'here')).join(' ');
    window.seen = [words()];
    new MutationObserver(() => seen.push(words())).observe(list, { subtree: true, childList: true, attributes: true });
}"""
"""Writes down, each time the list of seeks changes, which of its rows are there and which are going."""


class Visitor:
    """Somebody on the front page. `heard`: every message of the lobby's line, with its length."""

    def __init__(self, player, site):
        self.page = player.page
        self.context = player.context
        self.site = site
        self.heard = []
        self._news = asyncio.Event()
        self.page.on("websocket", lambda line: line.on("framereceived", self._hear))

    def _hear(self, frame):
        self.heard.append((json.loads(frame), len(frame)))
        self._news.set()

    async def hears(self, kind):
        """Returns when a message of that kind has come since `heard` was last emptied."""
        while not any(message["t"] == kind for message, _ in self.heard):
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), 8)

    async def arrive(self):
        await self.page.goto(f"{self.site}/")
        await expect(self.page.locator("cg-board")).to_be_visible()
        return self

    async def quick(self, clock):
        await self.page.locator(f".quick [data-clock='{clock}']").click()

    async def choose(self, variant):
        await self.page.locator(f".tile:has([value='{variant}'])").click()

    async def waits(self):
        await expect(self.page.locator("#waiting-cancel")).to_be_visible()

    def row(self, words):
        return self.page.locator("#seeks .seek", has_text=words)

    async def is_playing(self):
        await expect(self.page.locator("#round cg-board")).to_be_visible()
        assert GAME.search(self.page.url)
        return self.page.url


@pytest.fixture
def visitor(seat, host):
    async def come(**settings):
        return await Visitor(await seat(**settings), host.site).arrive()

    return come


async def test_a_seek_is_seen_and_taken_and_both_are_at_the_board(visitor):
    anna, ben, carla = await visitor(), await visitor(), await visitor()
    await anna.choose("grand")
    await anna.page.click("#find")
    await anna.waits()
    await expect(ben.row("Grand Chess")).to_contain_text("10+5")
    await ben.row("Grand Chess").click()
    assert await ben.is_playing() == await anna.is_playing()
    await expect(carla.page.locator("#seeks .seek")).to_have_count(0)
    kinds = [message["t"] for message, _ in carla.heard if message["t"] not in ("ping", "pong")]
    assert kinds == ["seeks", "seek_added", "seek_gone"]
    assert all(size < 200 for message, size in carla.heard if message["t"] != "seeks")


async def test_quick_pairing_pairs_two_who_want_the_same(visitor):
    anna, ben = await visitor(), await visitor()
    for person in (anna, ben):
        await person.choose("crazyhouse")
        await person.quick("180+2")
    assert await ben.is_playing() == await anna.is_playing()
    await expect(ben.page.locator("#clock-bottom, .clock").first).to_contain_text("3:00")


async def test_surprise_me_meets_whoever_waits(visitor):
    anna, ben = await visitor(), await visitor()
    await anna.choose("acedrex")
    await anna.quick("900+10")
    await anna.waits()
    await ben.page.locator("label.chip", has_text="Surprise me").click()
    await ben.quick("900+10")
    assert await ben.is_playing() == await anna.is_playing()
    await expect(ben.page).to_have_title(re.compile("Acedrex"))


async def test_several_variants_and_the_filter(visitor):
    anna, ben = await visitor(), await visitor()
    await anna.page.locator("label.chip", has_text="Several").click()
    for variant in ("grandhouse", "shogun"):
        await anna.page.locator(f"#several .chip:has([value='{variant}'])").click()
    await anna.quick("300+3")
    await anna.waits()
    await expect(ben.row("Grandhouse, Shogun")).to_be_visible()
    await ben.page.select_option("#seek-filter", "chess")
    await expect(ben.page.locator("#seeks .seek")).to_have_count(0)
    await expect(ben.page.locator("#seeks-empty")).to_contain_text("Nobody is waiting for Chess")
    await ben.page.select_option("#seek-filter", "shogun")
    await ben.row("Grandhouse, Shogun").click()
    await ben.is_playing()
    await anna.is_playing()
    await expect(ben.page).to_have_title(re.compile("Shogun"))


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


async def test_who_reads_another_page_meanwhile_is_told_there(visitor):
    anna, ben = await visitor(), await visitor()
    await anna.choose("gothic")
    await anna.quick("300+3")
    await anna.waits()
    await anna.page.goto(f"{anna.site}/rules/gothic")
    await ben.row("Gothic").click()
    game = await ben.is_playing()
    await anna.page.locator(".call-bar a").click()
    assert await anna.is_playing() == game


async def test_who_waited_at_a_board_in_vain_is_told_that_they_wait_again(visitor):
    """The minute in which nobody comes is left out: the page of the game says that it is over, and the seek stands."""
    anna, ben = await visitor(), await visitor()
    await anna.quick("300+3")
    await anna.waits()
    mine = await anna.page.evaluate(
        "fetch('/api/seeks').then(answer => answer.json()).then(({ seeks }) => seeks[0].by)"
    )
    await anna.page.goto("about:blank")
    await ben.page.locator("#seeks .seek").first.wait_for(state="detached")
    await anna.page.goto(f"{anna.site}/rules")
    await anna.page.evaluate("localStorage.clear()")
    await anna.page.goto(f"{anna.site}/rules/gothic")
    await expect(ben.page.locator("#seeks .seek")).to_have_count(0)
    said = f"document.dispatchEvent(new CustomEvent('waited-in-vain', {{ detail: '{mine}' }}))"
    await anna.page.evaluate(said)
    await expect(anna.page.locator("#call")).to_contain_text("waiting for an opponent again")
    await ben.row("Chess").click()
    game = await ben.is_playing()
    await anna.page.locator(f'#call a[href="{game.removeprefix(anna.site)}"]').click()


async def test_who_goes_to_another_page_keeps_their_place_in_the_list(visitor):
    anna, carla, ben = await visitor(), await visitor(), await visitor()
    for one, clock in ((anna, "300+3"), (carla, "600+5")):
        await one.quick(clock)
        await one.waits()
    await expect(ben.page.locator("#seeks .seek")).to_have_count(2)
    await ben.page.evaluate(SEEKS_SEEN)
    await anna.page.goto(f"{anna.site}/rules")
    await ben.page.wait_for_function("() => seen.includes('gone here') && seen.at(-1) === 'here here'")
    assert set(await ben.page.evaluate("seen")) == {"here here", "gone here"}


async def test_a_game_of_days_is_taken_while_its_maker_is_away(visitor, seat):
    anna = await visitor()
    await anna.choose("shouse")
    await anna.quick("3d")
    await anna.waits()
    await anna.page.close()
    ben = await visitor()
    await ben.row("S-House").click()
    game = await ben.is_playing()
    again = await anna.context.new_page()
    await again.goto(f"{anna.site}/")
    await again.locator("#your-games-list a").click()
    await expect(again.locator("#round cg-board")).to_be_visible()
    assert again.url == game


async def test_a_game_of_days_does_not_call_away(visitor):
    anna, ben = await visitor(), await visitor()
    await anna.quick("3d")
    await anna.waits()
    await ben.page.locator("#seeks .seek").click()
    game = await ben.is_playing()
    await anna.page.locator("#waiting-text a").click()
    assert await anna.is_playing() == game


async def test_who_was_cut_off_while_their_seek_was_taken_comes_to_the_game(visitor, seat, host):
    """The server has not noticed yet that the line is gone."""
    anna = Visitor(await seat(), host.site)
    lines, cut = [], asyncio.Event()

    def connect(line):
        if cut.is_set():
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
    await expect(anna.page.locator("#seeks-offline")).not_to_be_empty()
    ben = await visitor()
    await ben.page.locator("#seeks .seek").click()
    game = await ben.is_playing()
    cut.clear()
    await anna.page.evaluate("window.dispatchEvent(new Event('online'))")
    assert await anna.is_playing() == game


async def test_whoever_has_closed_the_page_is_not_offered_and_whoever_is_back_is(visitor):
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
    await host.start()
    await ben.page.reload()
    await ben.row("Shogun").click()
    assert await ben.is_playing() == await anna.is_playing()


async def test_guests_read_why_they_play_no_rated_games(visitor):
    anna = await visitor()
    await expect(anna.page.locator("[name='rated'][value='yes']")).to_be_disabled()
    await expect(anna.page.locator(".lobby-make").get_by_role("link", name="sign in")).to_be_visible()


async def test_a_clock_is_needed_for_somebody_new(visitor):
    anna = await visitor()
    await anna.page.locator("label.chip:has([value='none'])").click()
    await anna.page.click("#find")
    await expect(anna.page.locator("#problem")).to_contain_text("needs a clock")


SHIFT = """async () => new Promise(resolve => {
    let sum = 0;
    const add = list => list.getEntries().forEach(({ value }) => (sum += value));
    new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
})"""
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
DESKTOP = {"viewport": {"width": 1440, "height": 900}}


@pytest.mark.parametrize("motion", ["no-preference"])
@pytest.mark.parametrize("screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_the_first_page_is_small_and_stands_still(seat, host, screen):
    """Both ways to play are in view, nothing jumps while it comes, and it is ten requests and 100 KB at most."""
    page = (await seat(**screen)).page
    answers = []
    page.on("response", lambda answer: answers.append(answer))
    await page.goto(host.site)
    await expect(page.locator("cg-board piece").first).to_be_visible()
    for way in ("#create", "#find"):
        box = await page.locator(way).bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= screen["viewport"]["height"]
        assert box["height"] >= 44
    loaded = [answer for answer in answers if not answer.url.startswith("data:") and not answer.from_service_worker]
    assert len(loaded) < 10, [answer.url for answer in loaded]
    sizes = [int(await answer.header_value("content-length") or 0) for answer in loaded[1:]]
    assert all(sizes)
    assert sum(sizes) + len(gzip.compress(await loaded[0].body())) < 100_000
    assert await page.evaluate(SHIFT) < 0.02
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("viewport", "scheme"), SCREENS, ids=["phone light", "wide dark"])
async def test_the_lobby_in_use_violates_no_guideline_and_is_used_by_keys(visitor, viewport, scheme):
    anna = await visitor()
    ben = await visitor(viewport=viewport, color_scheme=scheme)
    await anna.page.locator("label.chip:has([name='color'][value='white'])").click()
    await anna.choose("grand")
    await anna.quick("300+3")
    await anna.waits()
    await ben.quick("3d")
    await ben.waits()
    await ben.page.locator("#call-me summary").click()
    await ben.page.locator("label.chip", has_text="Several").click()
    await expect(ben.row("Grand Chess")).to_have_accessible_name(re.compile(r"^5\+3 Grand Chess \w+ wants White$"))
    assert await audit(ben.page) == []
    await ben.row("Grand Chess").focus()
    await ben.page.keyboard.press("Enter")
    assert await ben.is_playing() == await anna.is_playing()
