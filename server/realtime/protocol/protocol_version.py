"""What becomes of a page of another release than this server's. Knows outboxes, not what a page is about."""

from typing import Final

from server.realtime.protocol import outbound, wire
from server.realtime.protocol.codec import encode
from server.realtime.protocol.outbox import Outbox

BAD_PROTOCOL: Final = 4400
TRY_LATER: Final = 1013


def close_if_outdated(outbox: Outbox, proto: int) -> bool:
    """Is the page, which speaks protocol `proto`, of another release? Then its line is closed.

    An older page is told to load again. A newer one has come from a server that has been updated already, while this
    one has not: it tries again, until it comes to the other or this one is updated too.
    """
    if proto == wire.PROTOCOL:
        return False
    if proto > wire.PROTOCOL:
        outbox.close(TRY_LATER)
    else:
        outbox.put(encode(outbound.Reload()))
        outbox.close(BAD_PROTOCOL)
    return True
