"""A person at a real browser: knows squares and buttons as they are seen, and no inner part of the page."""

import contextlib

from playwright.async_api import expect

FIRST_FILE = ord("a")

CREATE = """async terms => {
    const headers = {'Content-Type': 'application/json'};
    const answer = await fetch('/api/games', {method: 'POST', headers, body: JSON.stringify(terms)});
    const game = await answer.json();
    sessionStorage.setItem('invite:' + game.id, JSON.stringify({link: game.link, copied: false}));
    return game;
}"""


class Player:
    """One browser context with one page. `problems` holds every error that the page or its policy reported."""

    def __init__(self, context, page, site):
        self.context = context
        self.page = page
        self.site = site
        self.problems = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda message: self._hear(message))

    def _hear(self, message):
        if message.type == "error" and "ERR_CONNECTION_REFUSED" not in message.text:
            self.problems.append(message.text)

    async def challenge(self, variant, **terms):
        """Makes a game, White for oneself, and opens it. Returns the link for the friend."""
        clock = {"kind": "realtime", "initial": 300, "increment": 3}
        await self.page.goto(self.site)
        game = await self.page.evaluate(CREATE, {"variant": variant, "color": "white", "clock": clock, **terms})
        assert "id" in game, game
        await self.page.goto(f"{self.site}/{game['id']}")
        return f"{self.site}/{game['id']}#{game['secret']}"

    async def open(self, link):
        await self.page.goto(link)
        await expect(self.page.locator("#board cg-board")).to_be_visible()

    async def join(self):
        await self.page.click("#join-game")
        await expect(self.page.locator("#join")).to_be_hidden()

    async def point(self, square):
        """Where the middle of a square is, in the window."""
        area = await self.page.locator("cg-board").bounding_box()
        table = self.page.locator("#round")
        files, ranks = [int(await table.get_attribute(f"data-{name}")) for name in ("files", "ranks")]
        right, up = ord(square[0]) - FIRST_FILE, int(square[1:]) - 1
        if "orientation-black" in await self.page.locator(".cg-wrap").get_attribute("class"):
            right, up = files - 1 - right, ranks - 1 - up
        return (
            area["x"] + (right + 0.5) * area["width"] / files,
            area["y"] + (ranks - 0.5 - up) * area["height"] / ranks,
        )

    async def click(self, *squares):
        for square in squares:
            await self.page.mouse.click(*await self.point(square))

    async def drag(self, origin, target):
        await self._carry(await self.point(origin), await self.point(target))

    async def drop(self, role, target):
        """Drags a piece out of one's own hand."""
        area = await self.page.locator(f"#pocket-bottom piece[data-role='{role}-piece']").bounding_box()
        start = area["x"] + area["width"] / 2, area["y"] + area["height"] / 2
        await self._carry(start, await self.point(target))

    async def _carry(self, start, end):
        mouse = self.page.mouse
        await mouse.move(*start)
        await mouse.down()
        await mouse.move(end[0] - 4, end[1] - 4, steps=4)
        await mouse.move(*end)
        await mouse.up()

    async def choose(self, words):
        await self.page.click(f".choice:has-text('{words}')")

    async def write(self, move):
        await self.page.fill("#move-text", move)
        await self.page.press("#move-text", "Enter")

    async def sees(self, *sans):
        """The list of moves is, or soon becomes, exactly this."""
        await expect(self.page.locator(".ply button")).to_have_text(list(sans), timeout=8000)

    async def accept(self):
        await self.page.click("#offers button:has-text('Accept')")

    async def close(self):
        with contextlib.suppress(Exception):
            await self.context.close()


async def all_see(players, *sans):
    for player in players:
        await player.sees(*sans)
