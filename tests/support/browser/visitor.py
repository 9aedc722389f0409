"""Somebody on the front page who looks for an opponent."""

import asyncio
import json
import re

from playwright.async_api import expect

GAME = re.compile(r"/[0-9A-Za-z]{10}$")


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
