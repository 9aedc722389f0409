"""What every template gets: the language and the visitor. Set before the handler runs, as error pages need it too."""

import logging

from aiohttp import web
from aiohttp.typedefs import Handler

from server.storage.errors import StoreError
from server.web.languages import language_of, speak
from server.web.preferences.kept import is_kept_in_account, look_of, preferences_of
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
    """Gives templates what `speak` returns, the `look` of the page, the host's `notice` or None, `is_bot` for names,
    and `visitor` as None for now.
    """
    site = request.app[SITE]
    request[TEMPLATE_CONTEXT] = {
        **speak(request),
        "look": look_of(request, site.assets),
        "is_bot": site.live.services.bots.is_named,
        "notice": site.live.notice.current,
        "visitor": None,
    }
    return await handler(request)


@web.middleware
async def with_visitor(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Gives templates the `visitor`, if there is one, and what they have chosen in their account.

    The first request of a day renews the cookie for another month.
    """
    if not for_all(request.path):
        visitor = await recognised(request)
        context = request[TEMPLATE_CONTEXT]
        context["visitor"] = visitor
        if visitor is not None and is_kept_in_account(visitor):
            context["look"] = look_of(request, request.app[SITE].assets)
            if preferences_of(request).language not in ("", language_of(request).code):
                context |= speak(request)
    response = await handler(request)
    if not (response.prepared or for_all(request.path) or others_may_keep(response)):
        request.app[SITE].sessions.renew(request, response)
    return response


def others_may_keep(response: web.StreamResponse) -> bool:
    """Whether a shared cache may give this answer to others, who would then get a cookie on it too."""
    return response.headers.get("Cache-Control", "").startswith("public")


def for_all(path: str) -> bool:
    """Is what has that path the same for everybody, so that nobody need be recognised?"""
    return path.startswith(THE_SAME_FOR_ALL) or path.endswith(PICTURES)


async def recognised(request: web.Request) -> Visitor | None:
    """The visitor, or None. If the store is away, readers become strangers rather than get an error."""
    try:
        return await request.app[SITE].sessions.find(request)
    except StoreError as error:
        log.info("nobody can be recognised: %s", error)
        return None
