"""What the frame of every page shows: its language, and who is here. Found before the page is made, as a page that
tells of an error has a frame too.
"""

import logging

from aiohttp import web
from aiohttp.typedefs import Handler

from server.storage.errors import StoreError
from server.web.languages import speak
from server.web.rendering.answers import TEMPLATE_CONTEXT
from server.web.session import Visitor
from server.web.site import SITE

log = logging.getLogger(__name__)

THE_SAME_FOR_ALL = ("/static/", "/health", "/ready")
"""Nobody needs to be recognised for these."""
PICTURES = (".svg", ".png", ".gif")
"""Nor for these, which others may keep: a cookie must never be on them."""


@web.middleware
async def with_language(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Gives every template what `speak` gives, and `visitor`, None until somebody is recognised."""
    request[TEMPLATE_CONTEXT] = {**speak(request), "visitor": None}
    return await handler(request)


@web.middleware
async def with_visitor(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Gives every template the `visitor`, if the browser is somebody.

    Whoever was seen for the first time this day gets their cookie for another month.
    """
    if not for_all(request.path):
        request[TEMPLATE_CONTEXT]["visitor"] = await recognised(request)
    response = await handler(request)
    if not (response.prepared or for_all(request.path) or others_may_keep(response)):
        request.app[SITE].sessions.renew(request, response)
    return response


def others_may_keep(response: web.StreamResponse) -> bool:
    """May a cache between here and the browser give the answer to others? A cookie on it would go to them too."""
    return response.headers.get("Cache-Control", "").startswith("public")


def for_all(path: str) -> bool:
    return path.startswith(THE_SAME_FOR_ALL) or path.endswith(PICTURES)


async def recognised(request: web.Request) -> Visitor | None:
    """A store that is away makes a stranger, and not an error, of who only reads."""
    try:
        return await request.app[SITE].sessions.find(request)
    except StoreError as error:
        log.info("nobody can be recognised: %s", error)
        return None
