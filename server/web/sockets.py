"""The socket endpoints: who may open a socket, and what it is connected to. Knows no frames and no messages."""

from collections.abc import Callable

from aiohttp import web

from server.games.player import Player
from server.realtime.feed_connection import FeedConnection
from server.realtime.play.connection import Connection
from server.realtime.protocol.feed import Feed, HiType
from server.realtime.protocol.outbox import Outbox
from server.web.budgets.callers import address_key, origin_is_ours
from server.web.rendering.problems import Problem
from server.web.site import SITE, Site
from server.web.websocket.handshake import handshake, take_over
from server.web.websocket.socket import Connected, Socket

MakeConnected = Callable[[Site, Player | None, Outbox], Connected]


async def game_socket(request: web.Request) -> web.StreamResponse:
    """GET /ws: the socket of a game's page."""
    return await open_socket(request, lambda site, player, outbox: Connection(site.rounds, player, outbox))


async def lobby_socket(request: web.Request) -> web.StreamResponse:
    """GET /ws/lobby: the socket of a page that shows open seeks."""
    return await open_socket(request, lambda site, player, outbox: listen(site, site.live.lobby.feed, player, outbox))


async def tv_socket(request: web.Request) -> web.StreamResponse:
    """GET /ws/watch: the socket of the TV page, which shows many games in play."""
    return await open_socket(request, lambda site, player, outbox: listen(site, site.live.tv, player, outbox))


def listen(site: Site, feed: Feed[HiType], player: Player | None, outbox: Outbox) -> FeedConnection[HiType]:
    """A connection of `player` (None: nobody known) to `feed`; what it hears goes into `outbox`."""
    return FeedConnection(feed, site.live.services.timers, player, outbox, site.now())


async def open_socket(request: web.Request, connect: MakeConnected) -> web.StreamResponse:
    """Opens a socket. Whatever can be refused is refused before the handshake, where it costs least.

    A browser does not tell its page why; so a page that was refused asks with `?why`, and is answered 204 if it may
    open one.
    """
    site = request.app[SITE]
    asks_why = "why" in request.query
    if not asks_why:
        check_request(request, site)
    visitor = await site.sessions.find(request)
    session, address = visitor.key if visitor else None, address_key(request, site.settings)
    site.open_sockets.check(session, address)
    if asks_why:
        return web.Response(status=204)
    answer = handshake(request)
    # No await between the check and the moment the socket is counted, or a burst could slip through.
    await answer.prepare(request)
    taken = take_over(request)
    if taken is not None:
        transport, early = taken
        socket = Socket(site.open_sockets, transport, session, address)
        socket.join(connect(site, visitor.player if visitor else None, socket))
        site.open_sockets.keep(socket)
        if early:
            socket.data_received(early)
    return answer


def check_request(request: web.Request, site: Site) -> None:
    """Raises Problem. Any page of the web sends the cookie along, so the Origin decides whose page it is."""
    if not origin_is_ours(request, site.settings):
        raise Problem(403, "wrong_origin")
    if request.body_exists:
        raise Problem(400, "bad_request", detail="A request for a socket has no body.")
    if request.headers.get("Upgrade", "").lower() != "websocket":
        raise Problem(426, "upgrade_required")
