"""How the sender of a command learns of its outcome, over the wire."""

from server.realtime.protocol import outbound
from server.realtime.protocol.codec import encode, encode_refusal
from server.realtime.protocol.outbox import Outbox
from server.refusal import Refusal


class CommandReply:
    """The reply to the command with the sender's id `request`: maybe a `wait`, then an `ok` or an `error`."""

    __slots__ = ("_outbox", "_request", "_waited")

    def __init__(self, outbox: Outbox, request: int) -> None:
        self._outbox = outbox
        self._request = request
        self._waited = False

    def waiting(self) -> None:
        """Sends, once, that it cannot be stored yet."""
        if not self._waited:
            self._waited = True
            self._outbox.put(encode(outbound.Wait(id=self._request, why="storage")))

    def done(self, v: int, dup: bool) -> None:
        """Sends that it is stored. `v`: its last event. `dup`: it had been done before.

        Its events follow at once, so they are written with it: a write costs as much as making the message.
        """
        self._outbox.put(encode(outbound.Ok(id=self._request, v=v, dup=dup or None)), more=True)

    def refused(self, refusal: Refusal, v: int | None = None) -> None:
        """Sends that nothing was done. `v` as in outbound.Error."""
        self._outbox.put(encode_refusal(refusal, self._request, v))
