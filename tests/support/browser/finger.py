"""A finger that rests on the glass and slides until it is lifted, which no mouse and no tap does."""


class Finger:
    def __init__(self, glass):
        self.glass = glass

    @classmethod
    async def of(cls, player):
        return cls(await player.context.new_cdp_session(player.page))

    async def press(self, x, y):
        await self._touch("touchStart", x, y)

    async def slide(self, x, y):
        await self._touch("touchMove", x, y)

    async def lift(self):
        await self.glass.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    async def _touch(self, kind, x, y):
        await self.glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
