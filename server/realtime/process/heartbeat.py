"""Heartbeats that each process stores while it runs, so that the next one knows how long there was none."""

import secrets
from typing import Final

from server.realtime.process.services import Services

BEAT_EVERY_S: Final = 1.0
LOOKS: Final = 10
"""How often a starting process looks for heartbeats, while every other one stores two."""


class Heartbeat:
    """The heartbeat of one process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._name = secrets.token_hex(4)

    async def beat(self) -> None:
        """Stores a heartbeat. Raises Unavailable."""
        await self._services.store.mark_alive(self._name, self._services.now())

    async def others_are_alive(self, last: int) -> bool:
        """Does another process store heartbeats newer than `last` (ms)? Waits for two. Raises Unavailable."""
        if self._services.bus.alone:
            return False
        for _ in range(LOOKS):
            await self._services.sleep(2 * BEAT_EVERY_S / LOOKS)
            if await self._services.store.last_alive() != last:
                return True
        return False
