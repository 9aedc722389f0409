"""The round-trip time to a client, measured by the server.

The server sends a payload that cannot be guessed and waits for it to come back. So a client cannot answer early, and no
number of the client's is trusted. It can answer late, but that gains at most 500 ms and what the game's quota holds
(server/games/clocks/lag.py). It only pays on the client's own turns, so being slower on these is counted; no more than
that, since a phone whose radio sleeps between turns looks similar.
"""

from collections.abc import Collection
from os import urandom
from statistics import median
from typing import Final, NamedTuple

CAP: Final = 500
EVERY_MS: Final = 1_000
"""A client whose lag is known is asked no more often: in a fast game nothing is learned from more, and an answer costs
half a move."""
SAMPLES: Final = 5
ENOUGH: Final = 3
"""Answers from which the lag is known; they are asked for without waiting, since until then a slow connection costs
time.
"""
UNANSWERED: Final = 4
"""Pings that may be unanswered; the oldest is given up first."""
REMEMBERED: Final = 20
"""Round trips kept of either kind: on a client's own turns, and on the opponent's."""
JUDGED_OWN: Final = 12
JUDGED_OTHERS: Final = 8
"""How many are needed for a comparison."""
OWN_TURN_DELAY_MS: Final = 150
ALMOST_ALL: Final = 0.9


def own_turn_delay(own: Collection[int], others: Collection[int]) -> int | None:
    """How much slower a client is on its own turns than on the opponent's, ms; None if that may be chance.

    On a connection that varies widely the medians may well differ by more than OWN_TURN_DELAY_MS by chance. That nearly
    every round trip on one's own turns is longer than nearly every other one hardly ever is.
    """
    more = median(own) - median(others)
    if more <= OWN_TURN_DELAY_MS:
        return None
    longer = sum(mine > other for mine in own for other in others)
    return int(more) if longer >= ALMOST_ALL * len(own) * len(others) else None


class SentPing(NamedTuple):
    """An unanswered ping, sent at `at` (ms). `on_turn`: on the client's own turn."""

    payload: str
    at: int
    on_turn: bool


class LagMeter:
    """The measurements of one client, in tuples: there are two meters per game, and an emptied dict is large."""

    __slots__ = ("_asked_at", "_others", "_own", "_samples", "_sent")

    def __init__(self) -> None:
        self._asked_at = -EVERY_MS
        self._sent: tuple[SentPing, ...] = ()
        self._samples: tuple[int, ...] = ()
        self._own: tuple[int, ...] = ()
        self._others: tuple[int, ...] = ()

    def is_due(self, now: int) -> bool:
        """Has the client not been asked for EVERY_MS, at `now` (ms), or not often enough to know its lag?"""
        return len(self._sent) + len(self._samples) < ENOUGH or now - self._asked_at >= EVERY_MS

    def ping(self, now: int, on_turn: bool) -> str:
        """The payload to send at `now` (ms). `on_turn`: it is this client's turn."""
        self._asked_at = now
        payload = urandom(8).hex()
        self._sent = (*self._sent[1 - UNANSWERED :], SentPing(payload, now, on_turn))
        return payload

    def pong(self, payload: str, now: int) -> bool:
        """Records `payload`, which came back at `now` (ms). False if it was never sent or has come already."""
        sent = next((one for one in self._sent if one.payload == payload), None)
        if sent is None:
            return False
        self._sent = tuple(one for one in self._sent if one is not sent)
        took = max(0, now - sent.at)
        self._samples = (*self._samples[1 - SAMPLES :], took)
        if sent.on_turn:
            self._own = (*self._own[1 - REMEMBERED :], took)
        else:
            self._others = (*self._others[1 - REMEMBERED :], took)
        return True

    @property
    def rtt(self) -> int:
        """The round-trip time, ms: the median of the last five, at most 500; 0 before there are three."""
        if len(self._samples) < ENOUGH:
            return 0
        return min(CAP, int(median(self._samples)))

    def take_own_turn_delay(self) -> int | None:
        """The `own_turn_delay`, and clears the measurements; None if there is none or they are too few."""
        if len(self._own) < JUDGED_OWN or len(self._others) < JUDGED_OTHERS:
            return None
        found = own_turn_delay(self._own, self._others)
        if found is not None:
            self._own = self._others = ()
        return found
