"""What the frame of every page shows: who is here. Found before the page is made: an error page must know it too."""

import logging
from typing import Any

from aiohttp import web

from server.storage.errors import StoreError
from server.web.session import VISITOR
from server.web.site import SITE

log = logging.getLogger(__name__)

NOT_PAGES = ("/api/", "/static/", "/ws", "/health", "/ready", "/metrics")


async def frame(request: web.Request) -> dict[str, Any]:
    """For every template: `visitor`, who the browser is, or None. A store that is away makes strangers, not errors."""
    if request.path.startswith(NOT_PAGES):
        return {}
    try:
        await request.app[SITE].sessions.find(request)
    except StoreError as error:
        log.info("nobody can be recognised: %s", error)
    return {"visitor": request.get(VISITOR)}


async def renew_cookie(request: web.Request, response: web.StreamResponse) -> None:
    """Whoever was seen for the first time this day gets his cookie for another month."""
    request.app[SITE].sessions.renew(request, response)
