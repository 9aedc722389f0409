"""A move without an answer is said to be sent, not played, whatever the line does; once it is played all is as ever."""

import re

import pytest
from playwright.async_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

SIZES = ({"width": 360, "height": 740}, {"width": 740, "height": 360}, {"width": 1440, "height": 900})
FITS = "node => node.scrollWidth <= node.clientWidth && node.scrollHeight <= node.clientHeight + 1"


class Line:
    """The connections of a page's game: `dead` ones carry nothing either way, and with `cut` there are none."""

    def __init__(self):
        self.dead = self.cut = False
        self._open = []

    async def connect(self, page_side):
        if self.cut:
            await page_side.close()
            return
        server_side, waiting = page_side.connect_to_server(), []
        for one, other in ((page_side, server_side), (server_side, page_side)):
            one.on_message(lambda text, to=other: waiting.append((to, text)) if self.dead else to.send(text))
        self._open.append((page_side, waiting))

    async def lose(self, how):
        self.dead, self.cut = how == "dead", how == "cut"
        if self.cut:
            for page_side, _ in self._open:
                await page_side.close()
            self._open.clear()

    async def heal(self):
        """What was on its way arrives, in order."""
        self.dead = self.cut = False
        for _, waiting in self._open:
            for to, text in waiting:
                to.send(text)
            waiting.clear()


@pytest.mark.parametrize("how", ["dead", "cut"])
async def test_a_move_without_an_answer_is_sent_not_played(pair, how):
    white, black = await pair("chess")
    page, line = white.page, Line()
    await page.route_web_socket("**/ws?game=*", line.connect)
    await page.reload()
    await expect(page.locator("#turn")).to_contain_text("Your turn")
    await line.lose(how)
    await white.click("e2", "e4")
    await expect(page.locator("#turn")).to_have_text("Move sent")
    await expect(page.locator("#board.unanswered")).to_have_count(1)
    await expect(page.locator("#status")).to_have_text(
        re.compile("not played yet|Your move is kept"), use_inner_text=True
    )
    await expect(page.locator(".clock.doubtful")).to_have_count(2)
    await expect(page.locator("#clock-bottom.runs")).to_have_count(0)
    for size in SIZES:
        await page.set_viewport_size(size)
        assert await page.locator("#status").evaluate(FITS), size
    await line.heal()
    await page.evaluate("window.dispatchEvent(new Event('online'))")
    await black.sees("e4")
    await white.sees("e4")
    await expect(page.locator("#board.unanswered, .clock.doubtful")).to_have_count(0)
    await expect(page.locator("#status")).to_be_empty()
