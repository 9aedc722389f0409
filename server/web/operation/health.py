"""Health checks for the host: is the server alive, and can it take players? Knows no game and no person."""

import asyncio

from aiohttp import web

from server.storage.errors import Unavailable
from server.web.site import SITE

STALL_LIMIT = 2_000
"""Ms; a process that stands still for this long had better be restarted."""
BEAT = 10
STORE_SECONDS = 1.0


async def health(request: web.Request) -> web.Response:
    """200 while the event loop keeps up. `stall_ms`: how late a wait of 10 ms ended."""
    now = request.app[SITE].now
    due = now() + BEAT
    await asyncio.sleep(BEAT / 1000)
    stall = max(0, now() - due)
    return web.json_response({"alive": True, "stall_ms": stall}, status=200 if stall < STALL_LIMIT else 503)


async def ready(request: web.Request) -> web.Response:
    """200 while new players can be sent here: the store accepts writes and no restart is under way."""
    site = request.app[SITE]
    if site.open_sockets.draining:
        return web.json_response({"ready": False, "why": "restarting"}, status=503)
    try:
        async with asyncio.timeout(STORE_SECONDS):
            await site.store.ping()
    except (Unavailable, TimeoutError):
        return web.json_response({"ready": False, "why": "storage"}, status=503)
    return web.json_response({"ready": True})
