"""How long a message takes to a client and back, measured by the server. Knows no socket and no clock.

The server sends a text that cannot be guessed and waits for it to come back, so a client cannot answer early and no
number of the client's is believed. It can answer late; what that gains is bounded here (500 ms) and by the game's
quota (server/games/lag.py).
"""

import secrets
from statistics import median
from typing import Final

CAP: Final = 500
SAMPLES: Final = 5
ENOUGH: Final = 3
UNANSWERED: Final = 4
"""As many pings may be on their way; the oldest is given up first."""


class LagMeter:
    """The measurements of one client."""

    __slots__ = ("_samples", "_sent")

    def __init__(self) -> None:
        self._sent: dict[str, int] = {}
        self._samples: tuple[int, ...] = ()

    def ping(self, now: int) -> str:
        """The payload to send at `now` (ms)."""
        payload = secrets.token_hex(8)
        self._sent[payload] = now
        while len(self._sent) > UNANSWERED:
            del self._sent[next(iter(self._sent))]
        return payload

    def pong(self, payload: str, now: int) -> bool:
        """`payload` came back at `now` (ms). One that was never sent, or came before, counts for nothing: False."""
        sent = self._sent.pop(payload, None)
        if sent is not None:
            self._samples = (*self._samples[1 - SAMPLES :], max(0, now - sent))
        return sent is not None

    @property
    def rtt(self) -> int:
        """Round trip, ms: the median of the last five, at most 500; 0 before there are three."""
        if len(self._samples) < ENOUGH:
            return 0
        return min(CAP, int(median(self._samples)))
