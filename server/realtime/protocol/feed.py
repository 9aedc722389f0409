"""Feeds that a page can subscribe to: the lobby, TV."""

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
    """An open page. `player`: None for a visitor without a name. `silent`: it has stopped answering."""

    outbox: Outbox
    player: Player | None
    silent: bool = False

    @property
    def person(self) -> str | None:
        """The id of whoever reads it."""
        return None if self.player is None else self.player.id


class Subscribers:
    """The pages that have subscribed to a feed, or to a part of it.

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
        """Has `player` (an id) a page whose socket answers? If not, nobody knows whether they are there."""
        return player is not None and any(not page.silent for page in self._by_person.get(player, ()))

    def __contains__(self, subscriber: Subscriber) -> bool:
        return subscriber in self._pages

    def add(self, subscriber: Subscriber) -> None:
        """Adds a page; twice is harmless."""
        self._pages[subscriber] = None
        if subscriber.player is not None:
            self._by_person.setdefault(subscriber.player.id, {})[subscriber] = None

    def remove(self, subscriber: Subscriber) -> None:
        """Removes a page; does nothing if it is not there."""
        self._pages.pop(subscriber, None)
        if subscriber.player is not None and (theirs := self._by_person.get(subscriber.player.id)) is not None:
            theirs.pop(subscriber, None)
            if not theirs:
                del self._by_person[subscriber.player.id]

    def show_all(self, text: str, but: Set[str] = frozenset()) -> None:
        """Shows `text`, in turn, to everybody but the people with these ids."""
        for page in self:
            if page.person not in but:
                page.outbox.put(text, in_turn=True)

    def show_people(self, text: str, ids: Set[str]) -> None:
        """Shows `text` on the pages of these people."""
        for person in ids:
            for page in tuple(self._by_person.get(person, ())):
                page.outbox.put(text)

    def dismiss(self, farewell: str, code: int) -> None:
        """Sends `farewell` to everybody, "" for nothing, and closes all connections with `code`."""
        for page in self:
            if farewell:
                page.outbox.put(farewell)
            page.outbox.close(code)


class FeedHi(Message):
    """First message: the protocol that this page speaks."""

    proto: int


HiType = TypeVar("HiType", bound=FeedHi)


class Feed(Protocol[HiType]):
    """A feed. `kinds`: the messages of its pages: greeting, ping, goodbye."""

    @property
    def kinds(self) -> TypeAdapter[HiType | Ping | Bye]: ...

    def subscribe(self, subscriber: Subscriber, hi: HiType) -> None:
        """Adds `subscriber`, and sends the current state first. Subscribing again sends it again."""

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Removes `subscriber`, whose connection is closed. Twice is harmless."""

    def silence_changed(self, subscriber: Subscriber) -> None:
        """`subscriber`, who may not have subscribed yet, has stopped answering, or answers again."""
