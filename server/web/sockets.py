"""One aiohttp WebSocket joined to one connection. Knows frames and lines; what a message means is not its business.

One task reads, one writes. Nobody who has something to say to this client waits for its line: that is the outbox.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol

from aiohttp import WSCloseCode, WSMsgType, web

from server.games.player import Player
from server.realtime.connection import Connection
from server.realtime.feed import Feed, HelloType
from server.realtime.feed_connection import FeedConnection
from server.realtime.outbox import TOO_SLOW, Outbox
from server.web.callers import address_key, origin_is_ours
from server.web.problems import Problem
from server.web.session import Visitor
from server.web.site import SITE, Site

MAX_FRAME = 8192
HEARTBEAT = 15.0
"""A peer that vanished is found within one and a half of it."""
WRITE_BUFFER = 32_768
ROOM = 16_384
"""Bytes in a line's buffer below which nothing that is sent has to wait."""
MOST_BYTES = 4
"""Of one character."""
SEND_SECONDS = 5.0
"""A client that takes nothing for so long is cut off."""
CLOSE_SECONDS = 2.0


class Connected(Protocol):
    """The inner end of a line."""

    def receive(self, text: str, now: int) -> None: ...

    def closed(self, now: int) -> None: ...


Connect = Callable[[Site, Player | None, Outbox], Connected]


async def game_socket(request: web.Request) -> web.StreamResponse:
    """GET /ws: the line of a game's page."""
    return await socket(request, lambda site, player, outbox: Connection(site.rounds, player, outbox))


async def lobby_socket(request: web.Request) -> web.StreamResponse:
    """GET /ws/lobby: the line of a page that shows open seeks."""

    return await socket(request, lambda site, player, outbox: listen(site, site.live.lobby, player, outbox))


async def gallery_socket(request: web.Request) -> web.StreamResponse:
    """GET /ws/watch: the line of a page that shows many games in play."""
    return await socket(request, lambda site, player, outbox: listen(site, site.live.gallery, player, outbox))


def listen(site: Site, feed: Feed[HelloType], player: Player | None, outbox: Outbox) -> FeedConnection[HelloType]:
    return FeedConnection(feed, site.live.node.timers, player, outbox, site.now())


async def socket(request: web.Request, connect: Connect) -> web.StreamResponse:
    """Everything that can be refused is refused before the handshake, as that costs the least."""
    site = request.app[SITE]
    check_request(request, site)
    visitor = await site.sessions.find(request)
    session, address = visitor.key if visitor else None, address_key(request, site.settings)
    site.open_sockets.check(session, address)
    with site.open_sockets.place(session, address):
        line = web.WebSocketResponse(
            max_msg_size=MAX_FRAME, compress=False, heartbeat=HEARTBEAT, autoping=True, timeout=CLOSE_SECONDS
        )
        await line.prepare(request)
        if request.transport is not None:
            await converse(site, line, request.transport, visitor, connect)
    site.metrics.count_closed(line.close_code)
    return line


def check_request(request: web.Request, site: Site) -> None:
    """Raises Problem. The cookie comes along from any page of the web, so the Origin decides whose page it is."""
    if not origin_is_ours(request, site.settings):
        raise Problem(403, "wrong_origin", "Only pages of this site may connect; send its address as Origin.")
    if request.body_exists:
        raise Problem(400, "bad_request", "A request for a socket has no body.")
    if request.headers.get("Upgrade", "").lower() != "websocket":
        raise Problem(426, "upgrade_required", "This address is for WebSocket connections only.")


async def converse(
    site: Site,
    line: web.WebSocketResponse,
    transport: asyncio.WriteTransport,
    visitor: Visitor | None,
    connect: Connect,
) -> None:
    """Carries messages both ways until either side has had enough."""
    transport.set_write_buffer_limits(high=WRITE_BUFFER, low=ROOM)
    outbox = Outbox(transport.abort, sender(line, transport))
    connection = connect(site, visitor.player if visitor else None, outbox)
    writing = asyncio.create_task(write(line, outbox, transport))
    try:
        with site.open_sockets.present(outbox, visitor.key if visitor else None):
            await read(site, line, connection, outbox)
    finally:
        connection.closed(site.now())
        await writing
        if outbox.close_code == TOO_SLOW:
            site.metrics.count_cut()


async def read(site: Site, line: web.WebSocketResponse, connection: Connected, outbox: Outbox) -> None:
    """Gives each text to the connection with the time of its arrival. Returns when the line is closed."""
    async for frame in line:
        now = site.now()
        if frame.type is WSMsgType.TEXT:
            connection.receive(frame.data, now)
        elif frame.type is WSMsgType.BINARY:
            outbox.close(WSCloseCode.UNSUPPORTED_DATA)


def sender(line: web.WebSocketResponse, transport: asyncio.WriteTransport) -> Callable[[str], bool]:
    """Writes a text to the line if there is room for it, and says whether it did."""

    def send(text: str) -> bool:
        if transport.get_write_buffer_size() + MOST_BYTES * len(text) >= ROOM:
            return False
        sending = line.send_str(text)
        try:
            # What need not wait is over after its first step; had it to wait, the text would be on its way as well.
            sending.send(None)
        except StopIteration:
            return True
        except ConnectionError:
            return False
        sending.close()
        return True

    return send


async def write(line: web.WebSocketResponse, outbox: Outbox, transport: asyncio.WriteTransport) -> None:
    """Sends what the outbox holds, one after the other, then closes the line with the outbox's code."""
    try:
        while (text := await outbox.next()) is not None:
            async with asyncio.timeout(SEND_SECONDS):
                await line.send_str(text)
        await line.close(code=outbox.close_code)
    except (TimeoutError, ConnectionError):
        transport.abort()
