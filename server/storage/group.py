"""Group commit: many callers, few durable writes. Knows no engine and no game.

One batch is in flight; whatever is asked for meanwhile becomes the next batch. There is no timer on purpose: waiting
2 ms for company made a lone game five times slower and a thousand games no faster.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from server.storage.errors import StoreError, Unavailable

Op = TypeVar("Op")

BATCH_LIMIT = 500


@dataclass(frozen=True, slots=True)
class _Waiting(Generic[Op]):
    """A caller in the queue."""

    key: str | None
    op: Op
    answer: asyncio.Future[None]


class Group(Generic[Op]):
    """Collects operations and gives them to `write` in batches, one batch at a time, in the order asked.

    `write` makes a whole batch durable and returns, for each operation in order, None or the error that its caller
    shall see. When `write` itself raises, every caller of that batch sees that error.
    """

    def __init__(self, write: Callable[[Sequence[Op]], Awaitable[Sequence[StoreError | None]]]) -> None:
        self._write = write
        self._queue: deque[_Waiting[Op]] = deque()
        self._writer: asyncio.Task[None] | None = None
        self._closing = False

    @property
    def closing(self) -> bool:
        return self._closing

    async def submit(self, op: Op, key: str | None = None) -> None:
        """Return when `op` is durable, or raise what `write` answered for it. Raises Unavailable after `close`.

        Two operations with the same `key` never share a batch, for engines that do not keep the order within one.
        A caller that is cancelled only stops listening: an operation that was queued is still written, whole.
        """
        if self._closing:
            raise Unavailable("The server is stopping; this was not stored.")
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(_Waiting(key, op, answer))
        if self._writer is None:
            self._writer = asyncio.create_task(self._drain())
        await answer

    async def close(self) -> None:
        """Take nothing new, and return when all that was queued has been answered."""
        self._closing = True
        if self._writer is not None:
            await asyncio.wait({self._writer})

    async def _drain(self) -> None:
        try:
            while self._queue:
                await self._write_batch(self._take())
        finally:
            self._writer = None
            _answer(self._queue, [Unavailable("The server stopped before this was stored.")] * len(self._queue))
            self._queue.clear()

    def _take(self) -> list[_Waiting[Op]]:
        """The next batch. What must wait because its key is in the batch already keeps its place in the queue."""
        batch: list[_Waiting[Op]] = []
        later: list[_Waiting[Op]] = []
        keys: set[str] = set()
        while self._queue and len(batch) < BATCH_LIMIT:
            waiting = self._queue.popleft()
            (later if waiting.key in keys else batch).append(waiting)
            if waiting.key is not None:
                keys.add(waiting.key)
        self._queue.extendleft(reversed(later))
        return batch

    async def _write_batch(self, batch: Sequence[_Waiting[Op]]) -> None:
        try:
            answers = await self._write([waiting.op for waiting in batch])
        except Exception as error:
            _answer(batch, [error] * len(batch))
        except BaseException:
            _answer(batch, [Unavailable("The server stopped before this was known to be stored.")] * len(batch))
            raise
        else:
            _answer(batch, answers)


def _answer(batch: Sequence[_Waiting[Op]] | deque[_Waiting[Op]], answers: Sequence[Exception | None]) -> None:
    for waiting, answer in zip(batch, answers, strict=True):
        if waiting.answer.done():
            continue
        if answer is None:
            waiting.answer.set_result(None)
        else:
            waiting.answer.set_exception(answer)
