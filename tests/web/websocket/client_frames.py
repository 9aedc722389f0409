"""WebSocket frames as a client sends them."""

from server.web.websocket.frames import (
    unmasked,
)

KEY = b"\x37\xfa\x21\x3d"


def sent(first, payload, key=KEY):
    """A frame as a client sends it, its length in the shortest form."""
    size = len(payload)
    if size < 126:
        length = bytes((0x80 | size,))
    elif size < 1 << 16:
        length = b"\xfe" + size.to_bytes(2)
    else:
        length = b"\xff" + size.to_bytes(8)
    return bytes((first,)) + length + key + unmasked(payload, key)
