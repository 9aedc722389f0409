"""Handling pages of another release than this server's."""

from typing import Final

from server.realtime.protocol import outbound, wire
from server.realtime.protocol.codec import encode
from server.realtime.protocol.outbox import Outbox

BAD_PROTOCOL: Final = 4400
TRY_LATER: Final = 1013


def close_if_outdated(outbox: Outbox, proto: int) -> bool:
    """Closes the connection of a page of another release, which speaks protocol `proto`. Was it one?

    An older page is told to reload. A newer one comes from a server that is already updated, unlike this one: it tries
    again until it reaches an updated one.
    """
    if proto == wire.PROTOCOL:
        return False
    if proto > wire.PROTOCOL:
        outbox.close(TRY_LATER)
    else:
        outbox.put(encode(outbound.Reload()))
        outbox.close(BAD_PROTOCOL)
    return True
