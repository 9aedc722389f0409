"""The connection of a page that only listens to a feed.

As for `Connection`, the socket calls `receive` for each text frame and `closed` once, and sends what the outbox holds.
"""

from typing import Final, Generic

from server.games.player import Player
from server.realtime.play.connection import HELLO_COST, HELLO_MS, HELLO_TIMEOUT, POLICY, PONG, WINDOW_MS
from server.realtime.process.limits.token_bucket import TokenBucket
from server.realtime.process.timers import Timers
from server.realtime.protocol.codec import BadMessage, encode_refusal, read
from server.realtime.protocol.feed import Feed, HiType, Subscriber
from server.realtime.protocol.inbound import Bye, Ping
from server.realtime.protocol.outbox import Outbox
from server.realtime.protocol.protocol_version import close_if_outdated

MESSAGES: Final = 20


class FeedConnection(Generic[HiType]):
    """An open connection. `player`: None for somebody without a name yet."""

    __slots__ = ("_bucket", "_feed", "_outbox", "_subscriber", "_timers")

    def __init__(self, feed: Feed[HiType], timers: Timers, player: Player | None, outbox: Outbox, now: int) -> None:
        self._feed = feed
        self._timers = timers
        self._outbox = outbox
        self._subscriber = Subscriber(outbox, player)
        self._bucket = TokenBucket(MESSAGES, WINDOW_MS)
        timers.set(self, now + HELLO_MS, lambda: outbox.close(HELLO_TIMEOUT))

    def receive(self, text: str, now: int) -> None:
        """Handles a text frame that arrived at `now` (ms). Never waits and never raises."""
        if self._outbox.closed:
            return
        if not self._bucket.take(now):
            self._outbox.close(POLICY)
            return
        try:
            message = read(text, self._feed.kinds)
        except BadMessage as error:
            self._outbox.put(encode_refusal(error))
            return
        if isinstance(message, Ping):
            self._outbox.put(PONG)
        elif isinstance(message, Bye):
            self._feed.unsubscribe(self._subscriber)
        elif not self._bucket.take(now, HELLO_COST - 1):
            self._outbox.close(POLICY)
        else:
            self._timers.clear(self)
            if not close_if_outdated(self._outbox, message.proto):
                self._feed.subscribe(self._subscriber, message)

    def silence_changed(self, silent: bool, now: int) -> None:
        """The client has stopped answering pings, or answers again."""
        self._subscriber.silent = silent
        self._feed.silence_changed(self._subscriber)

    def closed(self, now: int) -> None:
        """The connection is closed."""
        self._outbox.close(1000)
        self._timers.clear(self)
        self._feed.unsubscribe(self._subscriber)
