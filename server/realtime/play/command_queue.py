"""A queue that lets in one command of a game at a time, in order of arrival.

It is a lock with two things that asyncio's lacks: a bound on how many may wait, and a way to turn them away. Both are
needed when the store stalls: one command stays pending, and the others must be refused at once rather than decided a
minute later.
"""

import asyncio
from types import TracebackType

from server.rules.errors import Refusal


class Busy(Refusal):
    """Too many commands are waiting, or the store is stalled; nothing was done."""

    code = "busy"


class CommandQueue:
    """For `async with`, which raises Busy if `limit` commands are already waiting. `running`: is one carried out?"""

    __slots__ = ("_limit", "_rejecting", "_waiting", "running")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.running = False
        self._rejecting = False
        self._waiting: list[asyncio.Future[None]] = []

    async def __aenter__(self) -> None:
        if not self.running:
            self.running = True
            return
        if self._rejecting or len(self._waiting) >= self._limit:
            raise Busy("game_busy")
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                self._pass_on()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._rejecting = False
        self._pass_on()

    def reject_waiting(self) -> None:
        """Refuses the waiting commands, and those that come before the running one is done, with Busy."""
        self._rejecting = True
        while self._waiting:
            turn = self._waiting.pop(0)
            if not turn.done():
                turn.set_exception(Busy("waits_for_store"))

    def _pass_on(self) -> None:
        while self._waiting:
            turn = self._waiting.pop(0)
            if not turn.done():
                turn.set_result(None)
                return
        self.running = False
