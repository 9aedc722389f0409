"""The connections that follow one round, by what they may read, and how long their messages take.

Nothing here waits: a text goes into each outbox, the players' first; outboxes deal with slow readers.
"""

from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from os import urandom
from statistics import median
from typing import Final, NamedTuple

from server.games.state import Game
from server.realtime.protocol.feed import Subscriber
from server.rules.variant.pieces import Color

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
    """The round-trip time to one client, measured by the server.

    The server sends a payload that cannot be guessed and waits for it to come back. So a client cannot answer early,
    and no number of the client's is trusted. It can answer late, but that gains at most 500 ms and what the game's
    quota holds (`games.clocks.clock`). It only pays on the client's own turns, so being slower on these is counted; no
    more than that, since a phone whose radio sleeps between turns looks similar.

    It keeps tuples: there are two meters per game, and an emptied dict is large.
    """

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


@dataclass(eq=False, slots=True)
class RoundSubscriber(Subscriber):
    """A page that follows a round. `color`: the seat of its player, if any.

    `invited`: a free seat is meant for them, so they share the players' chat.
    """

    color: Color | None = None
    invited: bool = False
    meter: LagMeter = field(default_factory=LagMeter)

    @property
    def watches(self) -> bool:
        """Is this one of a crowd, whose turn comes after the moves of others?"""
        return self.color is None and not self.invited

    def measures_lag(self, game: Game) -> bool:
        """Do the clocks of `game` give this player the time back that a message takes?"""
        return self.color is not None and game.terms.control.by_the_minute

    def show(self, text: str) -> None:
        """Sends a text that goes to all viewers, to watchers in turn."""
        self.outbox.put(text, in_turn=self.watches)


class RoundSubscribers:
    """All subscribers of one round."""

    __slots__ = ("_invited", "_players", "_watchers")

    def __init__(self) -> None:
        self._players: list[RoundSubscriber] = []
        self._invited: list[RoundSubscriber] = []
        self._watchers: dict[RoundSubscriber, None] = {}

    def __iter__(self) -> Iterator[RoundSubscriber]:
        """Players first."""
        return iter((*self._players, *self._invited, *self._watchers))

    def __len__(self) -> int:
        return len(self._players) + len(self._invited) + len(self._watchers)

    @property
    def players(self) -> Sequence[RoundSubscriber]:
        """The connections of both players."""
        return self._players

    @property
    def has_invited(self) -> bool:
        """Is somebody here who may take a free seat?"""
        return bool(self._invited)

    @property
    def watchers(self) -> Collection[RoundSubscriber]:
        """The connections of those who only watch, in the order in which they came."""
        return self._watchers.keys()

    def add(self, subscriber: RoundSubscriber) -> None:
        """Adds a connection to the group that its `color` and `invited` put it into."""
        if subscriber.color is not None:
            self._players.append(subscriber)
        elif subscriber.invited:
            self._invited.append(subscriber)
        else:
            self._watchers[subscriber] = None

    def remove(self, subscriber: RoundSubscriber) -> None:
        """Removes a connection, before its `color` or `invited` changes. One that is not there changes nothing."""
        group = self._players if subscriber.color is not None else self._invited
        if subscriber in group:
            group.remove(subscriber)
        else:
            self._watchers.pop(subscriber, None)

    def seated(self, color: Color) -> list[RoundSubscriber]:
        """The connections of the player of `color`."""
        return [subscriber for subscriber in self._players if subscriber.color is color]

    def lags(self) -> dict[Color, int]:
        """The round trip of each player who is here, ms; of several tabs, the quickest."""
        rtts = {
            color: [subscriber.meter.rtt for subscriber in self.seated(color) if not subscriber.silent]
            for color in Color
        }
        return {color: min(here) for color, here in rtts.items() if here}

    def watching(self) -> list[RoundSubscriber]:
        """The connections of those who have no seat."""
        return [*self._invited, *self._watchers]

    def put(self, players: str, watchers: str, instead: str = "", for_people: Set[str] = frozenset()) -> None:
        """Sends `players` to players and the invited, then `watchers` to watchers; `instead` to people of these ids."""
        for readers, text in ((chain(self._players, self._invited), players), (self._watchers, watchers)):
            for one in readers:
                one.show(instead if for_people and one.person in for_people else text)

    def put_to(self, color: Color, text: str) -> None:
        """Sends `text` to the player of `color` only."""
        for subscriber in self.seated(color):
            subscriber.outbox.put(text)
