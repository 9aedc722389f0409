"""What a page listens to without taking part: the lobby, the gallery of live games. Knows neither."""

from dataclasses import dataclass
from typing import Protocol, TypeVar

from pydantic import TypeAdapter

from server.games.player import Player
from server.realtime.inbound import Bye, Ping
from server.realtime.outbox import Outbox
from server.realtime.wire import Message


@dataclass(eq=False, slots=True)
class Listener:
    """One open page. `player` is None for a passer-by without a name."""

    outbox: Outbox
    player: Player | None


class Hello(Message):
    """First message: the protocol that this page speaks."""

    proto: int


HelloType = TypeVar("HelloType", bound=Hello)


class Feed(Protocol[HelloType]):
    """`kinds` reads what a page of this feed may say: its greeting, a ping, a goodbye."""

    @property
    def kinds(self) -> TypeAdapter[HelloType | Ping | Bye]: ...

    def enter(self, listener: Listener, hello: HelloType) -> None:
        """From now on `listener` is told what happens; first what there is. Greeting again is asking anew."""

    def leave(self, listener: Listener) -> None:
        """The page is closed, or its line is gone. Twice is harmless."""
