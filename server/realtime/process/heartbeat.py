"""The marks that each process leaves in the store while it runs: they tell the next one how long there was none."""

import secrets
from typing import Final

from server.realtime.process.services import Services

BEAT_EVERY_S: Final = 1.0
LOOKS: Final = 10
"""How often a process that starts looks for others' marks, while each that lives leaves two."""


class Heartbeat:
    """That of one process."""

    __slots__ = ("_name", "_services")

    def __init__(self, services: Services) -> None:
        self._services = services
        self._name = secrets.token_hex(4)

    async def beat(self) -> None:
        """Note that this process runs. Raises Unavailable."""
        await self._services.store.mark_alive(self._name, self._services.now())

    async def others_are_alive(self, last: int) -> bool:
        """Does another process leave marks newer than `last` (ms)? Waits for two of them. Raises Unavailable."""
        if self._services.bus.alone:
            return False
        for _ in range(LOOKS):
            await self._services.sleep(2 * BEAT_EVERY_S / LOOKS)
            if await self._services.store.last_alive() != last:
                return True
        return False
