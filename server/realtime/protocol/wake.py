"""An outbox that keeps no text: whoever waits for it is woken, and reads from the state itself what has become of it.

So it is never full, however slow its reader is: what came meanwhile is read at once.
"""

import asyncio

from server.realtime.protocol.outbox import Outbox


class Wake(Outbox):
    """Wakes one reader. `closed`: nothing more will come."""

    __slots__ = ("_news",)

    def __init__(self) -> None:
        super().__init__()
        self._news = asyncio.Event()

    def put(self, text: str, *, in_turn: bool = False, more: bool = False) -> None:
        self._news.set()

    def put_latest(self, text: str, *, in_turn: bool = False) -> None:
        self._news.set()

    def send(self, text: str, *, more: bool = False) -> bool:
        return False

    def wake(self, *, in_turn: bool = False) -> None:
        self._news.set()

    def abort(self) -> None:
        self._news.set()

    async def news(self, seconds: float) -> bool:
        """Waits until there is some, or `seconds` have passed: False."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return False
        self._news.clear()
        return True
