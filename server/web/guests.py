"""What people without an account may do here, as the host has decided. `games.joining` says what each choice means."""

from aiohttp import web

from server.games.joining import Way, check_guest
from server.web.session import Visitor
from server.web.site import SITE


async def require_welcome(request: web.Request, way: Way) -> None:
    """Raises NotAllowed if whoever asks has no account, and the host lets nobody do that without one.

    The store is asked each time, so that what the host has decided holds at once, on every node. Raises Unavailable.
    """
    site = request.app[SITE]
    if await site.sessions.member(request) is None:
        check_guest((await site.store.site_settings.read()).joining.guests, way)


async def known_or_new_guest(request: web.Request) -> Visitor:
    """Who asks; a stranger becomes a guest. Raises NotAllowed if guests may not do here all that there is, Problem if
    there are too many; Unavailable.
    """
    sessions = request.app[SITE].sessions
    if await sessions.find(request) is None:
        await require_welcome(request, Way.LOBBY)
    return await sessions.require(request)
