"""The socket endpoints: who may open a socket, how a request becomes one, and what it is connected to.

aiohttp answers the handshake, then hands the connection over and forgets it. Knows no frames and no messages.
"""

import base64
import hashlib
from asyncio import Transport
from collections.abc import Callable
from socket import SO_SNDBUF, SOL_SOCKET

from aiohttp import web

from server.games.player import Player
from server.realtime.play.connection import Connection, FeedConnection
from server.realtime.protocol.feed import Feed, HiType
from server.realtime.protocol.outbox import Outbox
from server.web.budgets.callers import address_key, origin_is_ours
from server.web.edge import HttpConnection
from server.web.rendering.problems import Problem
from server.web.site import SITE, Site
from server.web.websocket.open_sockets import SESSION_ENDED
from server.web.websocket.socket import Socket, SocketHandler

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""RFC 6455, section 1.3."""
KERNEL_BYTES = 65_536
"""The kernel keeps twice as much of what a client has not read. By default it kept 2.8 MB for each, on a loopback, and
a client that does not read was noticed only when that was full.
"""


MakeHandler = Callable[[Site, Player | None, Outbox], SocketHandler]


async def game_socket(request: web.Request) -> web.StreamResponse:
    """GET /ws: the socket of a game's page."""
    return await open_socket(request, lambda site, player, outbox: Connection(site.rounds, player, outbox))


async def lobby_socket(request: web.Request) -> web.StreamResponse:
    """GET /ws/lobby: the socket of a page that shows open seeks."""
    return await open_socket(request, lambda site, player, outbox: listen_to(site, site.live.lobby, player, outbox))


async def tv_socket(request: web.Request) -> web.StreamResponse:
    """GET /ws/watch: the socket of the TV page, which shows many games in play."""
    return await open_socket(request, listen_to_tv)


async def embed_socket(request: web.Request) -> web.StreamResponse:
    """GET /ws/embed: the same for a frame of another site, which knows nobody."""
    return await open_socket(
        request, lambda site, player, outbox: listen_to(site, site.live.tv, player, outbox), known=False
    )


async def study_socket(request: web.Request) -> web.StreamResponse:
    """GET /ws/study: the socket of the page of a study; its greeting says which."""
    return await open_socket(request, lambda site, player, outbox: listen_to(site, site.live.studies, player, outbox))


async def tournament_socket(request: web.Request) -> web.StreamResponse:
    """GET /ws/tournament: the socket of the page of a tournament; its greeting says which."""
    return await open_socket(
        request, lambda site, player, outbox: listen_to(site, site.live.tournaments, player, outbox)
    )


def listen_to(site: Site, feed: Feed[HiType], player: Player | None, outbox: Outbox) -> FeedConnection[HiType]:
    """A connection of `player` (None: nobody known) to `feed`; what it hears goes into `outbox`."""
    return FeedConnection(feed, site.live.services.timers, player, outbox, site.now())


def listen_to_tv(site: Site, player: Player | None, outbox: Outbox) -> SocketHandler:
    """A connection of `player` to TV."""
    return listen_to(site, site.live.tv, player, outbox)


async def open_socket(request: web.Request, connect: MakeHandler, *, known: bool = True) -> web.StreamResponse:
    """Opens a socket. Whatever can be refused is refused before the handshake, where it costs least. `known`: the
    cookie may say whose it is.

    A browser does not tell its page why; so a page that was refused asks with `?why`, and is answered 204 if it may
    open one.
    """
    site = request.app[SITE]
    asks_why = "why" in request.query
    if not asks_why:
        check_request(request, site)
    if site.live.cut_off:
        raise Problem(503, "storage", retry_after=5)
    visitor = await site.sessions.find(request) if known else None
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
        # They may have been shut out while the answer was on its way.
        if visitor is not None and site.live.services.sanctions.shut_out(visitor.user.id, site.now()):
            socket.close(SESSION_ENDED)
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


def handshake(request: web.Request) -> web.StreamResponse:
    """The answer that turns the connection into a WebSocket, without extensions. Raises Problem."""
    # aiohttp fails at a key that is not ASCII.
    readable = request.headers.get("Sec-WebSocket-Key", "").isascii()
    if not (readable and web.WebSocketResponse(compress=False).can_prepare(request).ok):
        raise Problem(400, "bad_request", detail="This is not how a WebSocket is opened (RFC 6455, section 4.1).")
    proof = hashlib.sha1((request.headers["Sec-WebSocket-Key"] + GUID).encode(), usedforsecurity=False).digest()
    answer = web.StreamResponse(
        status=101,
        headers={
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Accept": base64.b64encode(proof).decode(),
        },
    )
    answer.force_close()
    return answer


def take_over(request: web.Request) -> tuple[Transport, bytes] | None:
    """Takes the connection from aiohttp once the answer is sent, with the bytes already received; None: it is gone."""
    protocol, transport = request.protocol, request.transport
    assert isinstance(protocol, HttpConnection)
    if transport is None or transport.is_closing():
        return None
    transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_SNDBUF, KERNEL_BYTES)
    early = protocol.give_early()
    protocol.release()
    return transport, early
