"""A thread in which mails are read and typed moves are compared: one job at a time, with a short queue.

A mail of the permitted size takes some milliseconds, a malformed one more, and no move should wait for that.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

from server.realtime.play.command_queue import Busy

MAX_WAITING: Final = 32

Done = TypeVar("Done")


class MailWorker:
    """Computes beside the event loop. `close` it when the site stops."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mail")
        self._waiting = 0
        self._closed = False

    async def run(self, work: Callable[[], Done]) -> Done:
        """What `work` returns. Raises Busy if too much waits or the site stops, and what `work` raises."""
        if self._closed or self._waiting >= MAX_WAITING:
            raise Busy("too_many_commands")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """Finishes what is being done and drops the rest."""
        self._closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)
