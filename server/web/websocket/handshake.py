"""How a request becomes a socket: aiohttp answers the handshake, then hands the connection over and forgets it."""

import base64
import hashlib
from asyncio import Transport
from socket import SO_SNDBUF, SOL_SOCKET

from aiohttp import web

from server.web.edge.http_connection import HttpConnection
from server.web.rendering.problems import Problem

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
"""RFC 6455, section 1.3."""
KERNEL_BYTES = 65_536
"""The kernel keeps twice as much of what a client has not read. By default it kept 2.8 MB for each, on a loopback, and
a client that does not read was noticed only when that was full.
"""


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
    """Takes the connection from aiohttp once the answer is sent, with the bytes already received; None if it is gone.

    aiohttp is told that the connection is lost.
    """
    protocol, transport = request.protocol, request.transport
    if transport is None or transport.is_closing():
        return None
    transport.get_extra_info("socket").setsockopt(SOL_SOCKET, SO_SNDBUF, KERNEL_BYTES)
    early = protocol.give_early() if isinstance(protocol, HttpConnection) else b""
    # Or aiohttp would close it.
    protocol.transport = None
    protocol.connection_lost(None)
    return transport, early
