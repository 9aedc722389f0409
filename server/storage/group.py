"""Group commit: many callers, few durable writes. Knows no engine and no game.

While a batch is in flight, whatever is asked for becomes the next batch. It does not wait for company on purpose:
2 ms of that made a lone game five times slower and a thousand games no faster. Only an engine that is far away, and
can do several things at once, gets a second batch before the first has come back, and that when it is slow: else who
just missed a batch would wait twice as long as the engine takes.
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
    """Collects operations and gives them to `write` in batches, in the order asked.

    `write` makes a whole batch durable and returns, for each operation in order, None or the error that its caller
    shall see. When `write` itself raises, every caller of that batch sees that error. After `patience_s` the next batch
    leaves though the one before has not come back, up to `most` at once; None: only one at a time.
    """

    def __init__(
        self,
        write: Callable[[Sequence[Op]], Awaitable[Sequence[StoreError | None]]],
        patience_s: float | None = None,
        most: int = 1,
    ) -> None:
        self._write = write
        self._patience_s = patience_s
        self._most = most
        self._queue: deque[_Waiting[Op]] = deque()
        self._sender: asyncio.Task[None] | None = None
        self._in_flight: dict[asyncio.Task[None], Sequence[_Waiting[Op]]] = {}
        self._closing = False

    @property
    def closing(self) -> bool:
        return self._closing

    async def submit(self, op: Op, key: str | None = None) -> None:
        """Return when `op` is durable, or raise what `write` answered for it. Raises Unavailable after `close`.

        Two operations with the same `key` are never in flight together, for engines that do not keep the order.
        A caller that is cancelled only stops listening: an operation that was queued is still written, whole.
        """
        if self._closing:
            raise Unavailable("The server is stopping; this was not stored.")
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append(_Waiting(key, op, answer))
        if self._sender is None:
            self._sender = asyncio.create_task(self._send())
        await answer

    async def close(self) -> None:
        """Take nothing new, and return when all that was queued has been answered."""
        self._closing = True
        while busy := {*self._in_flight, *((self._sender,) if self._sender else ())}:
            await asyncio.wait(busy)

    async def _send(self) -> None:
        try:
            while self._queue:
                if len(self._in_flight) < self._most and (batch := self._take()):
                    sent = asyncio.create_task(self._write_batch(batch))
                    self._in_flight[sent] = batch
                    sent.add_done_callback(self._in_flight.pop)
                await asyncio.wait(self._in_flight, timeout=self._patience_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._sender = None
            _answer(self._queue, [Unavailable("The server stopped before this was stored.")] * len(self._queue))
            self._queue.clear()

    def _take(self) -> list[_Waiting[Op]]:
        """The next batch. What must wait because its key is on its way already keeps its place in the queue."""
        batch: list[_Waiting[Op]] = []
        later: list[_Waiting[Op]] = []
        keys = {waiting.key for sent in self._in_flight.values() for waiting in sent}
        while self._queue and len(batch) < BATCH_LIMIT:
            waiting = self._queue.popleft()
            (later if waiting.key is not None and waiting.key in keys else batch).append(waiting)
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
