"""Tells the viewers of one round who is here and how slow the players' connections are, and measures the latter."""

from collections.abc import Callable
from typing import Final

from server.games.state import Game
from server.games.status import Status
from server.realtime.play.round_presence import RoundPresence
from server.realtime.play.round_subscribers import RoundSubscriber, RoundSubscribers
from server.realtime.process.services import Services
from server.realtime.protocol import outbound
from server.realtime.protocol.codec import encode
from server.rules.variant.pieces import Color

PRESENCE_EVERY_MS: Final = 1_000
BACK_WITHIN_MS: Final = 700
"""A page that is loaded anew, or greets under a new name, is back by then."""
LAG_STEP_MS: Final = 20
"""Smaller changes of a player's lag are not shown."""


class PresenceFeed:
    """`shown`: gives the game as its viewers see it."""

    __slots__ = ("_presence", "_services", "_shown", "_subscribers", "_told_at", "_told_lags")

    def __init__(
        self, services: Services, presence: RoundPresence, subscribers: RoundSubscribers, shown: Callable[[], Game]
    ) -> None:
        self._services = services
        self._presence = presence
        self._subscribers = subscribers
        self._shown = shown
        self._told_at = 0
        self._told_lags: dict[Color, int] = {}

    def changed(self, after_ms: int = 0) -> None:
        """Tells everybody who is here, `after_ms` from now; at most once a second if many come and go."""
        now = self._services.now()
        due = max(self._told_at + PRESENCE_EVERY_MS, now + after_ms)
        if now >= due:
            self._tell()
        else:
            self._services.timers.set((self._shown().id, "presence"), due, self._tell)

    def _tell(self) -> None:
        self._told_at = now = self._services.now()
        self._told_lags = self._subscribers.lags()
        self._subscribers.put_latest(self.text(now))

    def text(self, now: int) -> str:
        """The encoded message of who is here at `now` (ms)."""
        presence = self._presence.message(self._shown(), now, self._subscribers.watchers, self._subscribers.lags())
        return encode(presence.model_copy(update={"invited": True}) if self._subscribers.has_invited else presence)

    def pings(self, subscriber: RoundSubscriber, now: int) -> bool:
        """Would `ping` send anything at `now` (ms)? It does not where no clock depends on it, or soon after another."""
        return subscriber.measures_lag(self._shown()) and subscriber.meter.is_due(now)

    def ping(self, subscriber: RoundSubscriber, now: int) -> None:
        """Begins to measure the lag of this player, if that is due at `now` (ms)."""
        if self.pings(subscriber, now):
            payload = subscriber.meter.ping(now, self._shown().clock.turn is subscriber.color)
            subscriber.outbox.put(encode(outbound.PingOut(p=payload)))

    def ping_players(self, now: int) -> None:
        """Measures both players' lag in a real-time game, and shows it if it has changed much. `now`: ms.

        It begins before the clock starts: otherwise a slow connection would cost time on the first moves.
        """
        if self._shown().status is not Status.LIVE or not self._subscribers.players:
            return
        for subscriber in self._subscribers.players:
            self.ping(subscriber, now)
        lags = self._subscribers.lags()
        if any(abs(lags.get(color, 0) - self._told_lags.get(color, 0)) >= LAG_STEP_MS for color in Color):
            self.changed()

    def stop(self) -> None:
        """Stops telling anybody anything."""
        self._services.timers.clear((self._shown().id, "presence"))
