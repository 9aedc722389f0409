"""A move without an answer is said to be sent, not played, whatever the line does; once it is played all is as ever.

White sits at a phone behind a line that can be made bad, Black at a good one.
"""

import asyncio
import json
import re
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import expect

from server.settings import Settings
from tests.support.browser.player import meet
from tests.support.browser.screens import PHONE, laid_out
from tests.support.patience import PATIENCE_S
from tests.support.proxy import Proxy

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SIZES = [(360, 740), (667, 375), (740, 360), (820, 1180), (1440, 900)]
SAYS = """words => {
    const status = document.getElementById('status');
    status.textContent = words;
    status.classList.add('bad');
    const { left, right, top, bottom } = status.getBoundingClientRect();
    const whole = status.scrollWidth <= status.clientWidth && status.scrollHeight <= status.clientHeight + 1;
    const shown = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
    const seen = document.elementFromPoint((left + right) / 2, top + 8) === status;
    status.textContent = '';
    status.classList.remove('bad');
    return whole && shown && seen;
}"""
"""Whether all that is said of the line is there to be read."""
GROWS = """() => {
    const clock = document.getElementById('clock-top');
    const width = (text, ...kinds) => {
        clock.textContent = text;
        clock.className = ['clock', ...kinds].join(' ');
        return clock.offsetWidth;
    };
    const times = [['4:59'], ['12:34'], ['0:06.0', 'low'], ['2:46:40', 'long'], ['13 d 23 h', 'long']];
    return times.filter(([text, ...kinds]) => width(text, ...kinds, 'doubtful') > width(text, ...kinds));
}"""
"""The times of which the box grows once they are in doubt, so that the name beside it has less room."""
LINE = ("down", "down_sent", "unanswered", "restarting", "outdated", "refused", "deleted", "server_was_away")
WORDS = [json.loads(Path(f"server/words/{language}/round.json").read_text()) for language in ("en", "es")]
SENTENCES = [words[one] for words in WORDS for one in LINE]
SENTENCES += [f"{words['down']} {words['not_sent']}" for words in WORDS]


class At:
    """White and Black at a game of chess in which each has moved once, and White's line."""

    def __init__(self, white, black, line):
        self.white, self.black, self.line = white, black, line
        self.page = white.page

    async def plays_in_vain(self):
        """White's knight goes to f3, and no answer comes."""
        await self.white.click("g1", "f3")
        await self.is_in_doubt()

    async def is_in_doubt(self):
        page = self.page
        await expect(page.locator("#turn")).to_have_text("Move sent")
        await expect(page.locator("#board.unanswered")).to_have_count(1)
        await expect(page.locator("#status")).to_have_text(re.compile("not played yet|Your move is kept"))
        await expect(page.locator(".clock.doubtful")).to_have_count(2)
        await expect(page.locator("#clock-bottom.runs, .seat.turn")).to_have_count(0)
        await self.white.has(2)

    async def is_all_well(self, *sans):
        """Both see these moves, each once, and nothing is in doubt any more."""
        await self.black.sees(*sans)
        await self.white.sees(*sans)
        await expect(self.page.locator("#board.unanswered, .clock.doubtful")).to_have_count(0)
        await self.white.reconnects()


@pytest_asyncio.fixture(loop_scope="session")
async def at(seat, host, monkeypatch):
    async with Proxy.of(host.site) as line:
        monkeypatch.setattr(Settings, "origins", frozenset({host.site, line.through(host.site)}))
        white, black = await seat(**PHONE), await seat()
        address = await meet(white, black, "chess")
        await black.open(address)
        await white.open(line.through(address))
        await white.make("e2e4", 0)
        await black.make("e7e5", 1)
        await white.has(2)
        yield At(white, black, line)


@asynccontextmanager
async def asleep(player):
    """Nothing runs on the page, and what reaches it waits, as while a phone has put it to sleep."""
    glass, stopped = await player.context.new_cdp_session(player.page), asyncio.Event()
    glass.on("Debugger.paused", lambda _: stopped.set())
    await glass.send("Debugger.enable")
    await glass.send("Debugger.pause")
    await asyncio.wait_for(stopped.wait(), PATIENCE_S)
    yield
    await glass.send("Debugger.resume")
    await glass.detach()


async def heal(at):
    at.line.hole = at.line.mute = at.line.cut = False
    at.line.break_all()


async def test_on_a_dead_line_a_move_is_sent_and_played_once_it_lives(at):
    at.line.hole = True
    await at.plays_in_vain()
    await heal(at)
    await at.is_all_well("e4", "e5", "Nf3")


async def test_on_a_cut_line_a_move_is_kept_and_played_once_there_is_one(at):
    at.line.cut_all()
    await expect(at.page.locator("#status.bad")).not_to_be_empty()
    await at.plays_in_vain()
    await heal(at)
    await at.is_all_well("e4", "e5", "Nf3")


async def test_on_a_slow_line_a_move_is_sent_until_its_answer_comes(at):
    at.line.delay_s = 4
    await at.plays_in_vain()
    await at.black.sees("e4", "e5", "Nf3")
    await expect(at.page.locator("#status")).to_have_text("Your move is sent, but not played yet: no answer.")
    await at.is_all_well("e4", "e5", "Nf3")


async def test_a_move_whose_answer_is_lost_is_played_once(at):
    at.line.mute = True
    await at.plays_in_vain()
    await at.black.has(3)
    await at.black.make("b8c6", 3)
    await heal(at)
    await at.is_all_well("e4", "e5", "Nf3", "Nc6")


async def test_who_waits_on_a_cut_line_reads_what_is_known(at):
    await at.white.make("g1f3", 2)
    await at.black.has(3)
    at.line.cut_all()
    await expect(at.page.locator("#turn")).to_have_text("As last heard from the server")
    await expect(at.page.locator("#clock-top.runs.doubtful")).to_have_count(1)
    await expect(at.page.locator(".seat[data-here='']")).to_have_count(2)
    await at.black.make("b8c6", 3)
    await heal(at)
    await at.is_all_well("e4", "e5", "Nf3", "Nc6")


async def test_without_a_line_nothing_is_said_of_where_the_opponent_is(at):
    await at.white.make("g1f3", 2)
    await at.black.page.close()
    await expect(at.page.locator("#offers")).to_contain_text("Your opponent has left")
    at.line.cut_all()
    await expect(at.page.locator("#status.bad")).not_to_be_empty()
    await expect(at.page.locator("#offers")).to_be_empty()
    await expect(at.page.locator("#seat-top .seat-presence")).to_have_text("Black")
    await heal(at)
    await expect(at.page.locator("#offers")).to_contain_text("Your opponent has left")


@pytest.mark.parametrize("loses", [False, True], ids=["on a line that lasts", "on a line that is lost meanwhile"])
async def test_after_sleep_a_page_has_caught_up_and_plays_its_premove_once(at, loses):
    await at.white.make("g1f3", 2)
    await at.white.click("f1", "c4")
    await expect(at.page.locator("square.current-premove")).to_have_count(2)
    await at.black.has(3)
    async with asleep(at.white):
        await at.black.make("b8c6", 3)
        if loses:
            at.line.break_all()
    await at.is_all_well("e4", "e5", "Nf3", "Nc6", "Bc4")
    await expect(at.page.locator("square.current-premove")).to_have_count(0)


async def test_all_that_is_said_of_the_line_is_read_in_whole(at):
    for width, height in SIZES:
        await at.page.set_viewport_size({"width": width, "height": height})
        await laid_out(at.page)
        assert await at.page.evaluate(GROWS) == [], (width, height)
        cut = [words for words in SENTENCES if not await at.page.evaluate(SAYS, words)]
        assert cut == [], (width, height)
