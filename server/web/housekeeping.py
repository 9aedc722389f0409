"""What a running site does by itself for its accounts: forgets what is old, and notices what other processes ended."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from server.realtime.background import every
from server.web.open_sockets import SESSION_ENDED
from server.web.session import ABSOLUTE, IDLE
from server.web.site import Site

FORGET_EVERY_S = 600.0
AT_ONCE = 200
"""Sessions forgotten in one go: a bite that delays no move."""
LOOK_EVERY_S = 60.0


@asynccontextmanager
async def housekeeping(site: Site) -> AsyncIterator[None]:
    """While it lasts, the site looks after itself."""

    async def forget() -> None:
        await forget_the_old(site)

    async def look() -> None:
        await close_ended_sockets(site)

    loops = [asyncio.create_task(every(FORGET_EVERY_S, forget)), asyncio.create_task(every(LOOK_EVERY_S, look))]
    try:
        yield
    finally:
        for loop in loops:
            loop.cancel()
        await asyncio.gather(*loops, return_exceptions=True)


async def forget_the_old(site: Site) -> None:
    """Sessions past their age, guests whom nobody can be any more, and names that were held long enough."""
    now = site.now()
    forgotten = AT_ONCE
    while forgotten == AT_ONCE:
        forgotten = await site.store.accounts.purge(now - IDLE, now - ABSOLUTE, now, AT_ONCE)


async def close_ended_sockets(site: Site) -> None:
    """Closes the sockets of sessions that were ended elsewhere: by another process, by the host, by their age."""
    for session in site.open_sockets.sessions:
        found = await site.store.session(session)
        if found is None or site.sessions.expired(found[1]):
            site.open_sockets.end_sessions({session}, SESSION_ENDED)
