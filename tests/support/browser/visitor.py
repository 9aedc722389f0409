"""Somebody on the front page who looks for an opponent."""

import asyncio
import json
import re

from playwright.async_api import expect

from tests.support.browser.player import LONGEST_PAUSE_MS
from tests.support.patience import PATIENCE_MS, PATIENCE_S

GAME = re.compile(r"/[0-9A-Za-z]{10}$")


async def unfold_terms(page):
    """Opens the terms of a game on the front page, if they are folded."""
    if await page.locator("#own-terms[open]").count() == 0:
        await page.click("#own-terms > summary")


class Listener:
    """Whoever reads a page. `heard`: every message of its lines since `goes` was last called, with its length."""

    def __init__(self, page):
        self.page = page
        self.heard = []
        self._of_newest = set()
        self._news = asyncio.Event()
        self._pages = 0
        page.on("websocket", self._listen)

    def _listen(self, line):
        number, kinds = self._pages, set()
        self._of_newest = kinds
        line.on("framereceived", lambda frame: self._hear(frame, kinds) if number == self._pages else None)

    def _hear(self, frame, kinds):
        message = json.loads(frame)
        self.heard.append((message, len(frame)))
        kinds.add(message["t"])
        self._news.set()

    async def hears(self, kind):
        """Returns when a message of that kind has come."""
        await self._until(lambda: any(message["t"] == kind for message, _ in self.heard))

    async def is_known(self):
        """Returns when the newest line has brought the list of seeks: by it the server knows whose page this is.

        A page opens another line when its reader gets a name. If it is closed before that is there, the server does
        not learn that they have gone: whoever has just asked for something counts as here for a while.
        """
        await self._until(lambda: "seeks" in self._of_newest)

    async def _until(self, so):
        while not so():
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), PATIENCE_S)

    async def goes(self, address, until="seeks"):
        """Opens a page, and returns when its line has brought a message of that kind: from then on it is told."""
        self._pages += 1
        self.heard.clear()
        await self.page.goto(address)
        await self.hears(until)


class Visitor(Listener):
    """Somebody on the front page."""

    def __init__(self, player, site):
        super().__init__(player.page)
        self.context = player.context
        self.site = site

    async def arrive(self):
        await self.goes(f"{self.site}/")
        await expect(self.page.locator("cg-board")).to_be_visible()
        return self

    async def quick(self, clock):
        await self.page.locator(f".quick [data-clock='{clock}']").click()

    async def choose(self, variant):
        tile = self.page.locator(f".shelf-one:has([value='{variant}'])")
        if not await tile.is_visible():  # a phone has folded it away
            await self.page.click("#shelf-all")
        await tile.click()

    async def unfold_terms(self):
        await unfold_terms(self.page)

    async def unfold_own_seek(self):
        """Opens the seek of one's own below the times."""
        await self.page.click("#other-time")
        await expect(self.page.locator("#own-seek")).to_be_visible()

    async def waits(self):
        """The page says so, and the server knows that it is theirs."""
        await expect(self.page.locator("#waiting-cancel")).to_be_visible()
        await self.is_known()

    async def loses_the_line(self):
        await expect(self.page.locator("#seeks-offline")).not_to_be_empty()

    async def reconnects(self):
        await expect(self.page.locator("#seeks-offline")).to_be_empty(timeout=LONGEST_PAUSE_MS + PATIENCE_MS)

    def row(self, words):
        return self.page.locator("#seeks .seek", has_text=words)

    async def takes(self, words):
        """Takes the seek of that row, once it can be taken: while its owner goes to another page it cannot."""
        await self.row(words).get_by_role("button").click()

    async def is_playing(self):
        await expect(self.page.locator("#round cg-board")).to_be_visible()
        assert GAME.search(self.page.url)
        return self.page.url
