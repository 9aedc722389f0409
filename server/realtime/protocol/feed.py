"""What a page can subscribe to without taking part: the lobby, TV. Knows neither."""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Protocol, TypeVar

from pydantic import TypeAdapter

from server.games.player import Player
from server.realtime.protocol.inbound import Bye, Ping
from server.realtime.protocol.outbox import Outbox
from server.realtime.protocol.wire import Message


@dataclass(eq=False, slots=True)
class Subscriber:
    """One open page. `player` is None for a passer-by without a name; `silent`: its line does not answer."""

    outbox: Outbox
    player: Player | None
    silent: bool = False


class Subscribers:
    """The open pages that have subscribed to a feed, or to a part of it.

    They are kept by person too: whether somebody is there is asked for each seek and each game, of thousands of pages.
    """

    __slots__ = ("_by_person", "_pages")

    def __init__(self) -> None:
        self._pages: dict[Subscriber, None] = {}
        self._by_person: dict[str, dict[Subscriber, None]] = {}

    def __len__(self) -> int:
        return len(self._pages)

    def __iter__(self) -> Iterator[Subscriber]:
        return iter(tuple(self._pages))

    @property
    def people(self) -> Set[str]:
        """The ids of those who have one of these pages open."""
        return self._by_person.keys()

    def answers(self, player: str | None) -> bool:
        """Has `player` (an id) a page whose line answers? If not, nobody knows whether they are there."""
        return player is not None and any(not page.silent for page in self._by_person.get(player, ()))

    def __contains__(self, subscriber: Subscriber) -> bool:
        return subscriber in self._pages

    def add(self, subscriber: Subscriber) -> None:
        """Twice is harmless."""
        self._pages[subscriber] = None
        if subscriber.player is not None:
            self._by_person.setdefault(subscriber.player.id, {})[subscriber] = None

    def remove(self, subscriber: Subscriber) -> None:
        """Nothing happens if it is not there."""
        self._pages.pop(subscriber, None)
        if subscriber.player is not None and (theirs := self._by_person.get(subscriber.player.id)) is not None:
            theirs.pop(subscriber, None)
            if not theirs:
                del self._by_person[subscriber.player.id]

    def tell(self, text: str) -> None:
        for page in self:
            page.outbox.put(text)

    def tell_people(self, text: str, ids: Set[str]) -> None:
        """Only the pages of these people."""
        for person in ids:
            for page in tuple(self._by_person.get(person, ())):
                page.outbox.put(text)

    def dismiss(self, farewell: str, code: int) -> None:
        """Say `farewell` to everybody and close every line with `code`."""
        for page in self:
            page.outbox.put(farewell)
            page.outbox.close(code)


class Hello(Message):
    """First message: the protocol that this page speaks."""

    proto: int


HelloType = TypeVar("HelloType", bound=Hello)


class Feed(Protocol[HelloType]):
    """`kinds` reads what a page of this feed may say: its greeting, a ping, a goodbye."""

    @property
    def kinds(self) -> TypeAdapter[HelloType | Ping | Bye]: ...

    def subscribe(self, subscriber: Subscriber, hello: HelloType) -> None:
        """From now on `subscriber` is told what happens; first what there is. Greeting again is asking anew."""

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """The page is closed, or its line is gone. Twice is harmless."""

    def silence_changed(self, subscriber: Subscriber) -> None:
        """The line of `subscriber`, who may not have subscribed yet, stopped answering, or answers again."""
