"""What every template gets: the language and the visitor. Set before the handler runs, as error pages need it too."""

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
"""These need no visitor."""
PICTURES = (".svg", ".png", ".gif")
"""Nor do these, which caches may keep, so they must never carry a cookie."""


@web.middleware
async def with_language(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Gives templates what `speak` returns, the host's `notice` or None, and `visitor` as None for now."""
    request[TEMPLATE_CONTEXT] = {**speak(request), "notice": request.app[SITE].live.notice.current, "visitor": None}
    return await handler(request)


@web.middleware
async def with_visitor(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Gives templates the `visitor`, if there is one.

    The first request of a day renews the cookie for another month.
    """
    if not for_all(request.path):
        request[TEMPLATE_CONTEXT]["visitor"] = await recognised(request)
    response = await handler(request)
    if not (response.prepared or for_all(request.path) or others_may_keep(response)):
        request.app[SITE].sessions.renew(request, response)
    return response


def others_may_keep(response: web.StreamResponse) -> bool:
    """Whether a shared cache may give this answer to others, who would then get a cookie on it too."""
    return response.headers.get("Cache-Control", "").startswith("public")


def for_all(path: str) -> bool:
    return path.startswith(THE_SAME_FOR_ALL) or path.endswith(PICTURES)


async def recognised(request: web.Request) -> Visitor | None:
    """The visitor, or None. If the store is away, readers become strangers rather than get an error."""
    try:
        return await request.app[SITE].sessions.find(request)
    except StoreError as error:
        log.info("nobody can be recognised: %s", error)
        return None
