"""Connections that keep no protocol: bytes to the server's port, each from a network address of its own."""

import asyncio
import itertools
import os
import socket
from pathlib import Path

from tests.support.live.processes import SITE

_addresses = itertools.cycle(range(2_500))


def from_another_address(line: str) -> str:
    """The head of a request of the site's own page, from an address that few had before; its empty line is missing."""
    number = next(_addresses)
    address = f"11.{number >> 16}.{number >> 8 & 255}.{number & 255}"
    return f"{line} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: {SITE}\r\nX-Forwarded-For: {address}\r\n"


def upgrade(path: str = "/ws", extra: str = "") -> bytes:
    """The handshake of a page of the site."""
    return (
        f"{from_another_address(f'GET {path}')}"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{extra}\r\n"
    ).encode()


class Raw:
    """One TCP connection."""

    def __init__(self, reader, writer) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def connect(cls, port: int, first: bytes = b"", room: int | None = None) -> "Raw":
        """`room`: so many bytes wait for a reader who does not read, before the sender has to; None: what is usual."""
        line = socket.socket()
        if room is not None:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        line.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", port))
            raw = cls(*await asyncio.open_connection(sock=line, limit=4096))
        except BaseException:
            line.close()
            raise
        raw.write(first)
        return raw

    @classmethod
    async def upgraded(cls, port: int, path: str = "/ws", room: int | None = None) -> "Raw":
        """A WebSocket: the server's answer to the handshake is read."""
        raw = await cls.connect(port, upgrade(path), room)
        try:
            head = await raw.reader.readuntil(b"\r\n\r\n")
            assert b" 101 " in head.split(b"\r\n", 1)[0], head
        except BaseException:
            raw.close()
            raise
        return raw

    def write(self, data: bytes) -> None:
        if not self.writer.is_closing():
            self.writer.write(data)

    async def drip(self, data: bytes, pause_s: float = 1.0) -> None:
        """A byte at a time, for ever or until the socket is gone."""
        for byte in itertools.cycle(data):
            if self.writer.is_closing() or self.reader.at_eof():
                return
            self.write(bytes((byte,)))
            await asyncio.sleep(pause_s)

    async def gone(self) -> bytes:
        """Everything that comes until the server ends the connection; its last frame is the good-bye."""
        found = b""
        try:
            while data := await self.reader.read(65536):
                found = (found + data)[-4096:]
        except ConnectionError:
            pass
        return found

    def close(self) -> None:
        self.writer.transport.abort()


def memory_kb(pid: int) -> int:
    """What a process holds in memory now."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024
