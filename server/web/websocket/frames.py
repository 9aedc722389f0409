"""WebSocket frames (RFC 6455, section 5): bytes into messages, messages into bytes. Knows no socket and no clock.

Only what this site speaks: texts of bounded size and the three control frames; no extension is ever agreed on.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from aiohttp import WSCloseCode

MOST: Final = 8192
"""Bytes of one message, in however many frames."""
MAX_PARTS: Final = 64
"""Frames of one message: without a limit, empty ones are work that costs the sender nothing."""
MAX_OF_CONTROL: Final = 125

FINAL: Final = 0x80
RESERVED: Final = 0x70
MASKED: Final = 0x80
TWO_BYTES: Final = 126
EIGHT_BYTES: Final = 127
KEY: Final = 4
"""Bytes of the key by which every frame of a client is masked."""


class Opcode(IntEnum):
    """The opcodes there are; all others are reserved."""

    CONTINUATION = 0
    TEXT = 1
    BINARY = 2
    CLOSE = 8
    PING = 9
    PONG = 10


CONTROLS: Final = frozenset({Opcode.CLOSE, Opcode.PING, Opcode.PONG})
OPCODES: Final = frozenset(Opcode)
NO_CODE: Final = 1005
"""What a peer that closes without a code is taken to have said; never sent."""


class BadFrame(Exception):  # noqa: N818 - says what is so
    """What came is no WebSocket, or more than is read: the socket has to end with `code`."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Control:
    """A close, a ping or a pong."""

    opcode: Opcode
    payload: bytes


class FrameReader:
    """What one client sends: `feed` it bytes as they come, then ask for `next` until there is none."""

    __slots__ = ("_at", "_bytes", "_parts")

    def __init__(self) -> None:
        self._bytes = b""
        self._at = 0
        self._parts: tuple[bytes, ...] = ()

    def feed(self, data: bytes) -> None:
        self._bytes = self._bytes[self._at :] + data if self._at < len(self._bytes) else data
        self._at = 0

    def next(self) -> str | Control | None:
        """The next message that is complete, a text as it was written; None: more bytes are needed. Raises BadFrame."""
        while (frame := self._frame()) is not None:
            first, payload = frame
            opcode = first & 0x0F
            if opcode in CONTROLS:
                return Control(Opcode(opcode), payload)
            if opcode == Opcode.BINARY:
                raise BadFrame(WSCloseCode.UNSUPPORTED_DATA)
            if (opcode == Opcode.CONTINUATION) != bool(self._parts):
                raise BadFrame(WSCloseCode.PROTOCOL_ERROR)
            if self._parts or not first & FINAL:
                self._join(payload)
                if not first & FINAL:
                    continue
                payload, self._parts = b"".join(self._parts), ()
            return _text(payload)
        return None

    def _join(self, payload: bytes) -> None:
        self._parts = (*self._parts, payload)
        if len(self._parts) > MAX_PARTS or sum(map(len, self._parts)) > MOST:
            raise BadFrame(WSCloseCode.MESSAGE_TOO_BIG)

    def _frame(self) -> tuple[int, bytes] | None:
        """The first byte of the next frame and what it carries, unmasked; None if it has not come whole yet."""
        data, at = self._bytes, self._at
        have = len(data) - at
        if have < 2:
            self._rest()
            return None
        first, size = data[at], data[at + 1] & ~MASKED
        _check(first, data[at + 1])
        start = at + 2
        if size >= TWO_BYTES:
            start += 2 if size == TWO_BYTES else 8
            # As long as it has not come whole, what has come of it is less than it will be.
            size = int.from_bytes(data[at + 2 : start])
            if size > MOST:
                raise BadFrame(WSCloseCode.MESSAGE_TOO_BIG)
        end = start + KEY + size
        if len(data) < end:
            self._rest()
            return None
        self._at = end
        return first, unmasked(data[start + KEY : end], data[start : start + KEY])

    def _rest(self) -> None:
        """Keep what belongs to a frame that has not come whole, and nothing before it."""
        self._bytes = self._bytes[self._at :]
        self._at = 0


def _check(first: int, second: int) -> None:
    """Raises BadFrame for what no client may begin a frame with."""
    opcode = first & 0x0F
    small = first & FINAL and second & ~MASKED <= MAX_OF_CONTROL
    if first & RESERVED or not second & MASKED or opcode not in OPCODES or (opcode in CONTROLS and not small):
        raise BadFrame(WSCloseCode.PROTOCOL_ERROR)


def _text(payload: bytes) -> str:
    try:
        return payload.decode()
    except UnicodeDecodeError:
        raise BadFrame(WSCloseCode.INVALID_TEXT) from None


def unmasked(payload: bytes, key: bytes) -> bytes:
    """Each byte XOR its byte of `key`, over and over: as one number, so that it takes a microsecond."""
    size = len(payload)
    pad = (key * (size // KEY + 1))[:size]
    return (int.from_bytes(payload) ^ int.from_bytes(pad)).to_bytes(size)


def close_code(payload: bytes) -> int:
    """The code that a close frame brings. Raises BadFrame for one that nobody may send (sections 5.5.1 and 7.4)."""
    if not payload:
        return NO_CODE
    code = int.from_bytes(payload[:2])
    named = 1000 <= code <= 1014 and code not in (1004, 1005, 1006)
    if len(payload) < 2 or not (named or 3000 <= code <= 4999):
        raise BadFrame(WSCloseCode.PROTOCOL_ERROR)
    _text(payload[2:])
    return code


def frame(opcode: Opcode, payload: bytes) -> bytes:
    """One final frame as a server sends it, unmasked."""
    size = len(payload)
    if size < TWO_BYTES:
        return bytes((FINAL | opcode, size)) + payload
    if size < 1 << 16:
        return bytes((FINAL | opcode, TWO_BYTES)) + size.to_bytes(2) + payload
    return bytes((FINAL | opcode, EIGHT_BYTES)) + size.to_bytes(8) + payload


def text_frame(text: str) -> bytes:
    return frame(Opcode.TEXT, text.encode())


def close_frame(code: int) -> bytes:
    return frame(Opcode.CLOSE, code.to_bytes(2))
