"""A finger that rests on the glass and slides until it is lifted, which no mouse does.

Playwright's own taps are lifted before the page has drawn anything, so none of them finds that what it touched is gone.
"""

from contextlib import asynccontextmanager

PAINTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

HOLD_TIMERS = """() => {
    const set = window.setTimeout, held = [];
    window.setTimeout = (...timer) => (timer[1] >= 300 ? held.push(timer) : set(...timer));
    window.letTimersGo = () => {
        window.setTimeout = set;
        for (const timer of held) set(...timer);
    };
}"""
LET_TIMERS_GO = "() => window.letTimersGo()"


class Finger:
    def __init__(self, glass, page):
        self.glass = glass
        self.page = page

    @classmethod
    async def of(cls, player):
        return cls(await player.context.new_cdp_session(player.page), player.page)

    async def tap(self, x, y):
        """Rests as long as it takes the page to draw what comes of it."""
        await self.press(x, y)
        await self.page.evaluate(PAINTED)
        await self.lift()

    @asynccontextmanager
    async def in_a_moment(self):
        """However slow the machine is: meanwhile nothing ends on the page that waits longer than a double tap takes."""
        await self.page.evaluate(HOLD_TIMERS)
        yield
        await self.page.evaluate(LET_TIMERS_GO)

    async def tap_twice(self, x, y):
        async with self.in_a_moment():
            for _ in range(2):
                await self.tap(x, y)

    async def press(self, x, y):
        await self._touch("touchStart", x, y)

    async def slide(self, x, y):
        await self._touch("touchMove", x, y)

    async def lift(self):
        await self.glass.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    async def _touch(self, kind, x, y):
        await self.glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
