"""The connections that follow one round, by what they may read.

Nothing here waits: a text goes into each outbox, the players' first; outboxes deal with slow readers.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain

from server.games.state import Game
from server.realtime.process.lag_meter import LagMeter
from server.realtime.protocol.feed import Subscriber
from server.rules.variant.pieces import Color


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

    def tell(self, text: str) -> None:
        """Sends what all are told, to watchers in turn."""
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
    def watchers(self) -> int:
        return len(self._watchers)

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
                one.tell(instead if for_people and one.person in for_people else text)

    def put_to(self, color: Color, text: str) -> None:
        """Sends `text` to the player of `color` only."""
        for subscriber in self.seated(color):
            subscriber.outbox.put(text)

    def put_latest(self, text: str) -> None:
        """Sends `text` to everybody, in place of an earlier one of this kind that is still queued."""
        for subscriber in self:
            subscriber.outbox.put_latest(text, in_turn=subscriber.watches)
