"""Group commit, by which many callers share few durable writes, and tokens by which a writer recognises its own write
if the answer was lost.

While a batch is in flight, new operations collect in the next one. It deliberately does not wait for more of them:
waiting 2 ms made a lone game five times slower and a thousand games no faster. Only a remote engine that works in
parallel gets another batch before the first has come back, and only if it is slow: otherwise whoever just missed a
batch would wait twice.
"""

import asyncio
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Generic, TypeVar

from server.storage.documents import Append, Replace
from server.storage.errors import StoreError, Unavailable

Op = TypeVar("Op")

BATCH_LIMIT = 500


@dataclass(frozen=True, slots=True)
class _Waiting(Generic[Op]):
    """A queued operation and its caller."""

    key: str | None
    op: Op
    answer: asyncio.Future[None]


class GroupCommit(Generic[Op]):
    """Collects operations and passes them to `write` in batches, in order of arrival.

    `write` makes a batch durable and returns None or an error for each operation in order. If it raises, by a defect of
    one operation, it has undone the others or knows them again: each of the batch is then written alone, and only the
    caller of that one gets the error. After `patience_s` the next batch leaves even if the one before has not come
    back, up to `most` at once; None: one at a time.
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
        self._in_flight: dict[asyncio.Task[None], Sequence[_Waiting[Op]]] = {}
        """The batch in flight of each sender, by its task."""
        self._patient_until = 0.0
        """When the last batch counts as slow, by the loop's clock."""
        self._closing = False

    @property
    def closing(self) -> bool:
        """Has `close` been called?"""
        return self._closing

    async def submit(self, op: Op, key: str | None = None) -> None:
        """Returns when `op` is durable, or raises the error that `write` returned for it; Unavailable after `close`.

        Two operations with the same `key` are never in flight together, as some engines do not keep the order.
        Cancelling the caller does not cancel a queued operation.
        """
        if self._closing:
            raise Unavailable("The server is stopping; this was not stored.")
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[None] = loop.create_future()
        self._queue.append(_Waiting(key, op, answer))
        if not self._in_flight or loop.time() >= self._patient_until:
            self._begin()
        await answer

    async def close(self) -> None:
        """Accepts nothing new, and returns when everything queued has been answered."""
        self._closing = True
        while self._in_flight:
            await asyncio.wait(self._in_flight)

    def _begin(self) -> None:
        """Starts another sender if operations wait and `most` allows it."""
        if self._queue and len(self._in_flight) < self._most:
            self._in_flight[asyncio.create_task(self._send())] = ()

    async def _send(self) -> None:
        """Sends one batch after another until none is left for this sender."""
        sender = asyncio.current_task()
        assert sender is not None
        try:
            while batch := self._take():
                self._in_flight[sender] = batch
                slow = self._send_more_when_slow()
                await self._write_batch(batch)
                self._in_flight[sender] = ()
                if slow is not None:
                    slow.cancel()
        finally:
            del self._in_flight[sender]
            if not self._in_flight:
                _answer(self._queue, [Unavailable("The server stopped before this was stored.")] * len(self._queue))
                self._queue.clear()

    def _send_more_when_slow(self) -> asyncio.TimerHandle | None:
        if self._patience_s is None:
            return None
        loop = asyncio.get_running_loop()
        self._patient_until = loop.time() + self._patience_s
        return loop.call_later(self._patience_s, self._begin)

    def _take(self) -> list[_Waiting[Op]]:
        """The next batch. Operations whose key is in flight keep their places in the queue."""
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
            if len(batch) == 1:
                _answer(batch, [error])
                return
            await self._write_each(batch)
        except BaseException:
            _answer(batch, [Unavailable("The server stopped before this was known to be stored.")] * len(batch))
            raise
        else:
            _answer(batch, answers)

    async def _write_each(self, batch: Sequence[_Waiting[Op]]) -> None:
        try:
            for waiting in batch:
                await self._write_batch([waiting])
        finally:
            _answer(batch, [Unavailable("The server stopped before this was stored.")] * len(batch))


def _answer(batch: Sequence[_Waiting[Op]], answers: Sequence[Exception | None]) -> None:
    for waiting, answer in zip(batch, answers, strict=True):
        if waiting.answer.done():
            continue
        if answer is None:
            waiting.answer.set_result(None)
        else:
            waiting.answer.set_exception(answer)


class WriteTokens:
    """Creates write tokens for one store object.

    Retrying a change from the same object reuses its token, so a retry is safe. Another object creates a different
    token for the same change, so that only one of two nodes learns that it was first.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(16)

    def token_of(self, head: bytes, moves: Append | Replace) -> str:
        """16 hex digits for a change: the new `head` as JSON, and its moves."""
        start = moves.start if isinstance(moves, Append) else 0
        mark = blake2b(head, key=self._key, digest_size=8)
        mark.update(f"\n{start} {moves.moves}".encode())
        return mark.hexdigest()
