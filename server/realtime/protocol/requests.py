"""A player's message as the command it asks for, and where its answer goes. Knows no rounds."""

from typing import assert_never

from server.games.commands import (
    Abort,
    AcceptOffer,
    ClaimAbandoned,
    Command,
    DeclineOffer,
    MakeOffer,
    PlayMove,
    Resign,
    ResumeReady,
)
from server.games.state import OfferKind
from server.realtime.process.ids import new_id
from server.realtime.protocol import inbound, outbound
from server.realtime.protocol.codec import encode, encode_refusal
from server.realtime.protocol.outbox import Outbox
from server.refusal import Refusal
from server.rules.variant.pieces import Color

GameCommand = (
    inbound.Move
    | inbound.Resign
    | inbound.Abort
    | inbound.Offer
    | inbound.Accept
    | inbound.Decline
    | inbound.Claim
    | inbound.Ready
)


def command_of(message: GameCommand, color: Color, lag_ms: int) -> Command:
    """What the player of `color` asks of their game; `lag_ms` is what the server measured of their line."""
    match message:
        case inbound.Move():
            return PlayMove(color, message.uci, message.ply, lag_ms)
        case inbound.Resign():
            return Resign(color)
        case inbound.Abort():
            return Abort(color)
        case inbound.Offer():
            return MakeOffer(color, OfferKind(message.kind), new_id())
        case inbound.Accept():
            return AcceptOffer(color, message.offer, new_id())
        case inbound.Decline():
            return DeclineOffer(color, message.offer)
        case inbound.Claim():
            return ClaimAbandoned(color, as_draw=message.result == "draw")
        case inbound.Ready():
            return ResumeReady(color)
        case _:
            assert_never(message)


class CommandReply:
    """The answer to the command with the sender's number `request`: perhaps a `wait`, then an `ok` or an `error`."""

    __slots__ = ("_outbox", "_request", "_waited")

    def __init__(self, outbox: Outbox, request: int) -> None:
        self._outbox = outbox
        self._request = request
        self._waited = False

    def waiting(self) -> None:
        """It cannot be stored yet. Said once."""
        if not self._waited:
            self._waited = True
            self._outbox.put(encode(outbound.Wait(id=self._request, why="storage")))

    def done(self, v: int, dup: bool) -> None:
        """It is stored; `v` is the last event that came of it. `dup`: it had been done before."""
        self._outbox.put(encode(outbound.Ok(id=self._request, v=v, dup=dup or None)))

    def refused(self, refusal: Refusal, v: int | None = None) -> None:
        """Nothing was done. `v` as in outbound.Error."""
        self._outbox.put(encode_refusal(refusal, self._request, v))
