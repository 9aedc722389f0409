"""A TCP connection that can be made bad: between a client and the server, or between the server and its store or bus.

It forwards bytes and knows no protocol; what is to be dropped is named by bytes that the question holds.
"""

import asyncio
import random
import time
from urllib.parse import urlsplit

UPDATE, INSERT = b"\x02update\x00", b"\x02insert\x00"
"""How a command that changes or adds something begins on MongoDB's wire: a string named so is its first member."""


class Proxy:
    """Listens on `port` of the loopback and forwards to `target`, a (host, port).

    `delay_s` and up to `jitter_s` more: so long is every answer on its way; answers stay in order, and one does not
    wait until another has arrived. `hole`: nothing goes either way and nobody is told. `mute`: what is asked arrives,
    and no answer does. `cut`: every connection is refused. `doubled`, `swapped`: the part of the answers' whole lines
    that comes twice, or behind the next one.
    """

    def __init__(self, target: tuple[str, int], seed: int = 1) -> None:
        self.delay_s = self.jitter_s = self.doubled = self.swapped = 0.0
        self.hole = self.mute = self.cut = False
        self.lost = 0
        self.port = 0
        self._target = target
        self._random = random.Random(seed)
        self._pattern = b""
        self._lose = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @classmethod
    def of(cls, address: str) -> "Proxy":
        """A proxy to the host and port of a URL."""
        parts = urlsplit(address)
        return cls((parts.hostname, parts.port))

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0, backlog=1024)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_):
        self._server.close()
        self.break_all()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def open(self) -> int:
        """How many connections go through it now."""
        return len(self._tasks)

    def through(self, address: str) -> str:
        """`address`, a URL of the target, going through this proxy."""
        host, port = self._target
        return address.replace(f"{host}:{port}", f"127.0.0.1:{self.port}")

    def cut_all(self) -> None:
        """Break every connection, and refuse new ones until `cut` is taken back."""
        self.cut = True
        self.break_all()

    def break_all(self) -> None:
        """Break every connection now."""
        for task in tuple(self._tasks):
            task.cancel()

    def lose_answers(self, pattern: bytes, times: int = 1) -> None:
        """The next `times` questions that hold `pattern` reach the target, and are cut off before the answer."""
        self._pattern, self._lose = pattern, times

    async def _connected(self, near_in, near_out):
        task = asyncio.current_task()
        self._tasks.add(task)
        try:
            if not self.cut:
                await self._relay(near_in, near_out)
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            near_out.transport.abort()

    async def _relay(self, near_in, near_out):
        far_in, far_out = await asyncio.open_connection(*self._target)
        doomed = asyncio.Event()
        on_the_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        directions = {
            asyncio.create_task(self._ask(near_in, far_out, doomed)),
            asyncio.create_task(self._answer(far_in, on_the_way, doomed)),
            asyncio.create_task(self._arrive(on_the_way, near_out)),
        }
        try:
            await asyncio.wait(directions, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in directions:
                one.cancel()
            far_out.transport.abort()
            await asyncio.gather(*directions, return_exceptions=True)

    async def _ask(self, near_in, far_out, doomed):
        while question := await near_in.read(65536):
            if self.hole:
                continue
            if self._lose and self._pattern in question:
                self._lose -= 1
                self.lost += 1
                doomed.set()
            far_out.write(question)
            await far_out.drain()

    async def _answer(self, far_in, on_the_way, doomed):
        while answer := await far_in.read(65536):
            if doomed.is_set():
                return
            if self.hole or self.mute:
                continue
            if self.doubled or self.swapped:
                answer = self._disturbed(answer)
            due = time.monotonic() + self.delay_s + self.jitter_s * self._random.random()
            on_the_way.put_nowait((due, answer))

    async def _arrive(self, on_the_way, near_out):
        while True:
            due, answer = await on_the_way.get()
            if (left := due - time.monotonic()) > 0:
                await asyncio.sleep(left)
            near_out.write(answer)
            await near_out.drain()

    def _disturbed(self, answer: bytes) -> bytes:
        lines = answer.splitlines(keepends=True)
        for at in range(len(lines) - 1):
            if self._random.random() < self.swapped:
                lines[at], lines[at + 1] = lines[at + 1], lines[at]
        return b"".join(line * (2 if self._random.random() < self.doubled else 1) for line in lines)
