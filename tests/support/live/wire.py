"""One WebSocket of a load client, as cheap as Python allows. Knows frames; what they say is not its business.

The load client shares two cores with the server it loads: a full library would measure itself. Frames are masked with
a key of zeros, which the protocol allows and which leaves the text as it is.
"""

import asyncio
import base64
import secrets
from collections.abc import Callable, Mapping

CLOSE, PING = 0x8, 0x9

Hear = Callable[["Socket", bytes], None]


def frame(opcode: int, payload: bytes) -> bytes:
    """A whole masked frame of at most 65,535 bytes."""
    size = len(payload)
    head = bytes((0x80 | opcode, 0x80 | size)) if size < 126 else bytes((0x80 | opcode, 0xFE)) + size.to_bytes(2)
    return head + b"\0\0\0\0" + payload


class Socket(asyncio.Protocol):
    """Calls `hear(socket, text)` for every text. `bytes_in` counts all that came after the handshake.

    `closed` holds the code that the server closed with when the socket is gone; 1006 when it just broke.
    """

    def __init__(self, hear: Hear, request: bytes) -> None:
        self.hear = hear
        self.bytes_in = 0
        self.open: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._code = 1006
        self._request = request
        self._left = b""
        self._transport: asyncio.WriteTransport | None = None

    def connection_made(self, transport: asyncio.WriteTransport) -> None:
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.open.done():
            self.open.set_exception(ConnectionError("closed during the handshake"))
        if not self.closed.done():
            self.closed.set_result(self._code)

    def data_received(self, data: bytes) -> None:
        if not self.open.done():
            data = self._shake_hands(self._left + data)
        else:
            self.bytes_in += len(data)
            data = self._left + data if self._left else data
        self._left = self._take_frames(data) if self.open.done() else data

    def _shake_hands(self, data: bytes) -> bytes:
        """What came behind the answer to the handshake; all of it while that is not complete."""
        head, end, rest = data.partition(b"\r\n\r\n")
        if not end:
            return data
        if b" 101 " not in head.split(b"\r\n", 1)[0]:
            self.open.set_exception(ConnectionError(head.decode(errors="replace")))
            return b""
        self.open.set_result(None)
        self.bytes_in = len(rest)
        return rest

    def _take_frames(self, data: bytes) -> bytes:
        """Hands on every whole frame; returns the part of one that is left."""
        at, end = 0, len(data)
        while end - at >= 2:
            size, body = data[at + 1], at + 2
            if size == 126:
                size, body = int.from_bytes(data[at + 2 : at + 4]), at + 4
            elif size == 127:
                size, body = int.from_bytes(data[at + 2 : at + 10]), at + 10
            if end < body + size:
                break
            self._frame(data[at] & 0xF, data[body : body + size])
            at = body + size
        return data[at:]

    def _frame(self, opcode: int, payload: bytes) -> None:
        if opcode == PING:
            self._write(frame(0xA, payload))
        elif opcode == CLOSE:
            self._code = int.from_bytes(payload[:2])
            self.close()
        else:
            self.hear(self, payload)

    def send(self, text: bytes) -> None:
        self._write(frame(0x1, text))

    def _write(self, data: bytes) -> None:
        assert self._transport is not None
        if not self._transport.is_closing():
            self._transport.write(data)

    def close(self) -> None:
        if self._transport is not None:
            self._transport.close()


async def open_socket(port: int, path: str, headers: Mapping[str, str], hear: Hear) -> Socket:
    """A socket to this machine. Raises ConnectionError with the server's answer when it is refused."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(secrets.token_bytes(16)).decode()}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    request = "\r\n".join([*lines, "", ""]).encode()
    _, socket = await asyncio.get_running_loop().create_connection(lambda: Socket(hear, request), "127.0.0.1", port)
    await socket.open
    return socket
