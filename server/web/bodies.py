"""Reads the bodies of requests; nothing else does. Knows no form and no game.

A body must declare its length. The length is checked against the budget of the route and memory is reserved before a
byte is read, so neither many bodies nor an endless one can fill the memory.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from aiohttp import web

from server.web.budgets.callers import address_key
from server.web.budgets.limits import BUDGET
from server.web.rendering.problems import Problem
from server.web.site import SITE

FIRST_SECONDS: Final = 9.0
"""The most that a small body may take."""
MIN_PER_SECOND: Final = 20_000
"""Bytes; each time that many have arrived, a large body gets another second, so 1 MB has a minute."""
HANG_UP_SECONDS: Final = 1.0
"""How long a refusal may take to arrive while the body still trickles in; aiohttp would read on for ten seconds."""

SMALL: Final = 8_192
"""Bytes. Bodies up to this size reserve no memory, so other people's large ones never delay them."""
MEMORY: Final = 24_000_000
"""Bytes of memory for all larger bodies under way."""
MEMORY_PER_ADDRESS: Final = 4_200_000
"""The same for one address: four files of the largest size."""


@dataclass(slots=True)
class BodyMemory:
    """The memory reserved for bodies under way, in bytes, by network address."""

    taken: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def reserved(self, address: str, size: int) -> Iterator[None]:
        """Reserves memory for a body of `size` bytes until the block ends. Raises Problem (503) if there is none."""
        if size <= SMALL:
            yield
            return
        if self.taken[address] + size > MEMORY_PER_ADDRESS or self.taken.total() + size > MEMORY:
            raise Problem(503, "bodies_busy", retry_after=10)
        self.taken[address] += size
        try:
            yield
        finally:
            self.taken[address] -= size
            if not self.taken[address]:
                del self.taken[address]


BODY_MEMORY = web.AppKey("BODY_MEMORY", BodyMemory)


async def read_body(request: web.Request) -> bytes:
    """The body of a request, within the budget of its route. Call it once per request.

    Raises Problem: no length (411), too large (413), no memory now (503), too slow (408); the last one also closes the
    connection. Raises ConnectionResetError if the sender has left.
    """
    if not request.body_exists:
        return b""
    size = request.content_length
    if size is None:
        raise Problem(411, "length_required")
    if size > request[BUDGET].body:
        raise Problem(413, "too_large", n=request[BUDGET].body // 1000)
    address = address_key(request, request.app[SITE].settings)
    with request.app[BODY_MEMORY].reserved(address, size):
        try:
            return await _arriving(request)
        except TimeoutError:
            if request.transport is not None:
                asyncio.get_running_loop().call_later(HANG_UP_SECONDS, request.transport.close)
            raise Problem(408, "slow") from None


async def _arriving(request: web.Request) -> bytes:
    """A body of declared length; the parser reads nothing beyond it. Raises TimeoutError, ConnectionResetError."""
    body = bytearray()
    began = asyncio.get_running_loop().time()
    async with asyncio.timeout_at(began + FIRST_SECONDS) as limit:
        while not request.content.at_eof():
            if request.transport is None:
                raise ConnectionResetError("The sender of a body has left.")
            body += await request.content.readany()
            limit.reschedule(began + FIRST_SECONDS + len(body) / MIN_PER_SECOND)
    return bytes(body)
