"""Somebody at a game on a phone, who is told where their opponent is, and whether all they read is whole."""

import asyncio
import json

from playwright.async_api import expect

from tests.support.browser.screens import PHONE, laid_out
from tests.support.patience import PATIENCE_S

SENTENCE = 130
"""The narrowest column, px, in which a sentence is still read as one."""

NARROW = """(all, least) => all
    .filter(each => each.getBoundingClientRect().width < least)
    .map(each => each.textContent)"""

CUT_OFF = """([selector, width]) => [...document.querySelectorAll(selector)]
    .filter(each => each.checkVisibility())
    .filter(each => {
        const { left, right } = each.getBoundingClientRect();
        if (left < 0 || right > width) return true;
        return each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1;
    })
    .map(each => each.textContent)"""
"""The texts of those elements that are not whole on a screen of that width."""


class Phone:
    """Somebody at a game on a phone, and the line that tells them where the other is."""

    def __init__(self, player):
        self.player = player
        self.page = player.page
        self.has_black = True
        self.lines = []
        self.told = False
        self.former = None
        self.greeted = asyncio.Event()

    async def listen(self):
        """From the next page on, its line says what `opponent` says."""
        await self.page.route_web_socket("**/ws?game=*", self._connect)

    def _connect(self, line):
        line.connect_to_server().on_message(lambda news: self._pass_on(line, news))
        self.lines.append(line)

    def _pass_on(self, line, news):
        crowd = json.loads(news)["t"] == "crowd"
        if not (self.told and crowd):
            line.send(news)
        if crowd and line is not self.former:
            self.greeted.set()

    def opponent(self, here, **more):
        """From now on this is where they are, whatever the server knows."""
        self.told = True
        away, present = {"here": here, **more}, {"here": "here"}
        white, black = (away, present) if self.has_black else (present, away)
        crowd = {"t": "crowd", "white": white, "black": black, "watchers": 0}
        self.lines[-1].send(json.dumps(crowd))

    async def reads_in(self, language):
        """Chooses it, which opens the page anew; returns when its line has said where the opponent is."""
        await self.player.look_at("rules")
        button = self.page.get_by_role("button", name=language)
        if await button.get_attribute("aria-current"):
            return
        self.told = False
        self.former = self.lines[-1]
        self.greeted.clear()
        await button.click()
        chosen = self.page.locator(".languages button", has_text=language)
        await expect(chosen).to_have_attribute("aria-current", "true")
        await asyncio.wait_for(self.greeted.wait(), PATIENCE_S)

    async def is_whole(self, selector):
        width = PHONE["viewport"]["width"]
        await laid_out(self.page)
        assert await self.page.evaluate("document.documentElement.scrollWidth") == width
        assert await self.page.evaluate(CUT_OFF, [selector, width]) == []

    async def reads(self, words):
        """The newest notice has these words, and all there is of it is in sight."""
        await expect(self.page.locator("#offers")).to_contain_text(words)
        await self.is_whole("#offers, #offers *, #turn-line, #turn-line *")
        assert await self.page.locator(".offer p").evaluate_all(NARROW, SENTENCE) == []

    async def answers(self):
        """Presses the last button of the notice: to decline, to withdraw."""
        await self.page.locator("#offers button").last.click()
        await expect(self.page.locator("#offers")).to_be_empty()
