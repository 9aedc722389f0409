"""How long tests wait for what has to come: only a hang should end a wait, however much else the machine does."""

import asyncio

from server.storage.time_slices import slice_lock

PATIENCE_S = 60
PATIENCE_MS = 1_000 * PATIENCE_S


async def waits_for_a_slice(task):
    """Whether it waits while somebody else has the turn for long work: returns when it, or another task, has asked."""
    async with asyncio.timeout(PATIENCE_S):
        while not (task.done() or slice_lock()._waiters):  # noqa: ASYNC110 - in this process
            await asyncio.sleep(0.001)
    return not task.done()
