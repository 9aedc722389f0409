"""For whoever runs the site: is it alive, can it take players, how does it do. Knows no game and no person."""

import asyncio

from aiohttp import web

from server.web.site import SITE

STALL_LIMIT = 2.0
STORE_SECONDS = 1.0


async def health(request: web.Request) -> web.Response:
    """200 while the process answers in time; restart it otherwise."""
    stalled = request.app[SITE].pulse.stalled()
    return web.json_response(
        {"alive": True, "stall_ms": round(stalled * 1000)}, status=200 if stalled < STALL_LIMIT else 503
    )
