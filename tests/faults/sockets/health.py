"""How long a server's event loop stands still, asked of the server itself again and again (Linux, loopback)."""

import asyncio
from contextlib import asynccontextmanager

ASKERS = 3
"""At any time at least two questions are under way, so that no stall falls between two of them."""


@asynccontextmanager
async def stalls(web, port):
    """The list that fills with the lateness, ms, of the server's waits of 10 ms, until the block ends."""
    late = []

    async def ask():
        while True:
            async with web.get(f"http://127.0.0.1:{port}/health") as answer:
                late.append((await answer.json())["stall_ms"])

    asking = [asyncio.create_task(ask()) for _ in range(ASKERS)]
    try:
        yield late
    finally:
        for one in asking:
            one.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
