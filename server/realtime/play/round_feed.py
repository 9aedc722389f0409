"""The viewers of one round, and what each of them gets to read.

It is handed what has been stored, and decides nothing about the game. Every event is numbered, encoded once for all who
read the same, kept for those who reconnect, and put into each outbox; nothing waits.
"""

import secrets
from collections.abc import Sequence, Set
from typing import Final

from server.games.events import ClockPaused, ClockResumed, Ended, Event, Joined
from server.games.state import Game
from server.games.status import Status
from server.realtime.cluster.bus import SpectatorsOnNode
from server.realtime.cluster.presence import PresenceState
from server.realtime.play import views
from server.realtime.play.chat import CHAT_LINES, ChatHistory
from server.realtime.play.round_presence import RoundPresence
from server.realtime.play.round_subscribers import RoundSubscriber, RoundSubscribers
from server.realtime.play.spectators import Spectators
from server.realtime.protocol import game_events, outbound
from server.realtime.protocol.codec import encode, with_field
from server.realtime.protocol.snapshot import Clocks
from server.realtime.shared import Services
from server.rules.variant.pieces import Color
from server.storage.stores import ChatLine

PRESENCE_EVERY_MS: Final = 1_000
BACK_WITHIN_MS: Final = 700
"""A page that is loaded anew, or greets under a new name, is back by then."""
LAG_STEP_MS: Final = 20
"""Smaller changes of a player's lag are not shown."""
MAX_EVENTS: Final = 48
"""Fewer than an outbox holds, so that what a client missed never cuts it off."""
MAX_CHARACTERS: Final = 3 * 1024
"""About thirteen moves: this keeps games small in memory, and more would be longer than a snapshot."""

EncodedEvent = str | tuple[str, str]
"""As everybody reads it, or as players and watchers do."""
ViewerKind = tuple[Color | None, bool, frozenset[str]]
"""The colour that somebody plays, if any, whether they are invited, and whose chat (ids) they do not read."""


class RoundFeed:
    """The viewers of one round. `shown`: the game as they have seen it; `ratings`: those of the players.

    `chat`: what was said lately. `presence`: that of the round, updated and shown here as subscribers come and go.
    """

    __slots__ = (
        "_history", "_presence", "_presence_shown_at", "_services", "_shown_lags", "_snapshots", "_snapshots_v",
        "_spectators", "_subscribers", "chat", "ratings", "shown",
    )  # fmt: skip

    def __init__(
        self,
        services: Services,
        game: Game,
        presence: RoundPresence,
        chat: Sequence[ChatLine],
        ratings: views.PlayerRatings,
    ) -> None:
        self.shown = game
        self.ratings = ratings
        self._presence = presence
        self._services = services
        self._subscribers = RoundSubscribers()
        self.chat = ChatHistory(chat)
        self._history = EventHistory()
        self._snapshots: dict[ViewerKind, str] = {}
        """Encoded for each kind of viewer, without clocks, as of event `_snapshots_v`."""
        self._snapshots_v = 0
        self._presence_shown_at = 0
        self._shown_lags: dict[Color, int] = {}
        self._spectators: Spectators | None = None
        """None: nobody has watched yet."""

    def __len__(self) -> int:
        return len(self._subscribers)

    @property
    def v(self) -> int:
        """The number of the last event."""
        return self._history.v

    @property
    def watchers(self) -> int:
        """How many watch, as far as has been shown."""
        return 0 if self._spectators is None else self._spectators.number

    def snapshot(self, color: Color | None, *, invited: bool = False, reader: str | None = None) -> str:
        """The encoded snapshot for `reader` (an id), who plays `color` (None: who watches, or is `invited`)."""
        now, unheard = self._services.now(), self.chat.speakers(self._services.blocks.unheard_by(reader))
        # Encoding a game of a thousand moves takes a millisecond, and anybody may ask for it on many connections at
        # once. While nothing happens only the clocks differ, so only they are encoded again.
        if self._snapshots_v != self.v:
            self._snapshots, self._snapshots_v = {}, self.v
        text = self._snapshots.get((color, invited, unheard))
        if text is None:
            snapshot = views.snapshot(
                self.shown,
                color,
                now,
                invited=invited,
                epoch=self._history.epoch,
                v=self.v,
                chat=[line for line in self.chat.lines if line.player not in unheard],
                ratings=self.ratings,
                bots=self._services.bots,
            )
            text = self._snapshots[color, invited, unheard] = encode(snapshot, leave_out="clock")
        return with_field(text, "clock", Clocks.of(self.shown, now).model_dump(exclude_none=True))

    def whole(self, subscriber: RoundSubscriber) -> str:
        """The encoded snapshot, as this subscriber may see it."""
        return self.snapshot(subscriber.color, invited=subscriber.invited, reader=subscriber.person)

    def blocks_changed(self, people: Set[str]) -> None:
        """Shows the chat anew to those of these people (ids) who follow the game, and all who watches."""
        for subscriber in self._subscribers if self.chat.lines else ():
            if subscriber.person in people:
                subscriber.outbox.put(self.whole(subscriber))
        if self._spectators is not None:
            self.presence_changed()

    # --- what happens -----------------------------------------------------------------------------------------------

    def show(self, game: Game, events: Sequence[Event] | None, now: int) -> None:
        """Shows the `events` that led to `game`; None: too much has happened, so all get a snapshot."""
        before, self.shown = self.shown, game
        self._snapshots.clear()
        if events is None:
            self._history.skip()
            self._reseat()
            for subscriber in self._subscribers:
                subscriber.show(self.whole(subscriber))
            return
        for event in events:
            self._show_event(event, now)
        for color in Color if game.conditional != before.conditional else ():
            if (prepared := views.conditional(game, color)) != views.conditional(before, color):
                self._subscribers.put_to(color, encode(outbound.ConditionalOut(steps=prepared or [])))

    def _show_event(self, event: Event, now: int) -> None:
        """Sends an event; the player to move gets the legal moves with it."""
        text = encode(game_events.event_message(event, self.shown, self.v + 1, now, self._services.bots))
        self._history.append(text, text)
        if isinstance(event, ClockPaused | ClockResumed):
            # Claims are impossible while the clocks stand, and possible again when they run.
            self.presence_changed()
        readers = set(self._readers_of_legal()) if views.brings_legal(event, self.shown) else set()
        if not readers:
            self._subscribers.put(text, text)
            if isinstance(event, Joined | Ended):
                # After the event: players who have changed seats get a snapshot, which includes it.
                self._reseat()
            if isinstance(event, Ended):
                self._open_watchers_chat()
            return
        with_legal = with_field(text, "legal", views.legal(self.shown))
        for subscriber in self._subscribers:
            if subscriber not in readers:
                subscriber.show(text)
                continue
            ping_follows = self._is_ping_due(subscriber, now)
            subscriber.outbox.put(with_legal, more=ping_follows)
            if ping_follows:
                self._ping(subscriber, now)

    def _open_watchers_chat(self) -> None:
        """Sends the players a snapshot: from now on they may read the watchers' chat."""
        if all(line.room == "players" for line in self.chat.lines):
            return
        self._history.skip()
        nothing = encode(game_events.Nothing(v=self.v))
        for subscriber in self._subscribers:
            subscriber.show(nothing if subscriber.color is None else self.whole(subscriber))

    def _readers_of_legal(self) -> Sequence[RoundSubscriber]:
        mover = self.shown.to_move
        if views.sees_legal(self.shown, mover):
            return self._subscribers.seated(mover)
        return self._subscribers.watching() if views.sees_legal(self.shown, None) else ()

    def show_chat(self, line: ChatLine) -> None:
        """Shows a stored chat line, if it has not been shown, to those who may read it; the others get `Nothing`."""
        if self.chat.knows(line):
            return
        self.chat.add(line)
        v = self.v + 1
        said = encode(game_events.Said(v=v, line=views.chat_line(line, self._services.bots)))
        nothing = encode(game_events.Nothing(v=v))
        players = said if views.may_read(line, self.shown, Color.WHITE) else nothing
        watchers = said if views.may_read(line, self.shown, None) else nothing
        self._history.append(players, watchers)
        self._subscribers.put(players, watchers, nothing, self._services.blocks.blockers_of(line.player))

    def catch_up_chat(self, lines: Sequence[ChatLine]) -> None:
        """Shows the last of the stored `lines`, oldest first."""
        for line in lines[-CHAT_LINES:]:
            self.show_chat(line)

    def show_ratings(self, ratings: views.PlayerRatings) -> None:
        """Shows the players' ratings, if they differ from those shown."""
        if ratings != self.ratings:
            self.ratings = ratings
            text = encode(game_events.Rated(v=self.v + 1, white=ratings[0], black=ratings[1]))
            self._history.append(text, text)
            self._subscribers.put(text, text)

    def _reseat(self) -> None:
        """Updates who plays and who watches, in every tab, after a seat was taken or passed on.

        Nobody is invited to a game that has two players or is over.
        """
        now = self._services.now()
        for subscriber in self._subscribers:
            color = None if subscriber.player is None else self.shown.color_of(subscriber.player.id)
            invited = subscriber.invited and color is None and self.shown.status is Status.OPEN
            if color is subscriber.color and invited is subscriber.invited:
                continue
            self._subscribers.remove(subscriber)
            self._presence.depart(subscriber.color, now, subscriber.silent, PresenceState.LEFT)
            subscriber.color, subscriber.invited = color, invited
            self._subscribers.add(subscriber)
            subscriber.outbox.put(self.whole(subscriber))
            self._presence.arrive(subscriber.color, now, subscriber.silent)
        self.presence_changed()

    # --- who follows ------------------------------------------------------------------------------------------------

    def subscribe(self, subscriber: RoundSubscriber, epoch: str, v: int, now: int) -> bool:
        """Adds `subscriber`, who gets what happened after event `v` of `epoch`. True if a player arrives."""
        subscriber.color = None if subscriber.player is None else self.shown.color_of(subscriber.player.id)
        subscriber.invited = subscriber.invited and subscriber.color is None
        self._subscribers.add(subscriber)
        missed = self._history.since(epoch, v, subscriber.color is None and not subscriber.invited)
        if missed is None or self.chat.speakers(self._services.blocks.unheard_by(subscriber.person)):
            self._services.stats.snapshots += 1
            subscriber.outbox.put(self.whole(subscriber))
        else:
            self._services.stats.resumes += 1
            self._resume(subscriber, missed, now)
        came = self._presence.arrive(subscriber.color, now, subscriber.silent)
        subscriber.outbox.put_latest(self._presence_text(now, self._hidden_from(subscriber)))
        self.presence_changed()
        return came

    def _resume(self, subscriber: RoundSubscriber, missed: Sequence[str], now: int) -> None:
        for text in missed:
            subscriber.outbox.put(text)
        color, clock = subscriber.color, Clocks.of(self.shown, now)
        legal = views.legal(self.shown) if views.sees_legal(self.shown, color) else None
        prepared = views.conditional(self.shown, color)
        subscriber.outbox.put(encode(outbound.Resumed(v=self.v, clock=clock, legal=legal, conditional=prepared)))

    def unsubscribe(self, subscriber: RoundSubscriber, to: PresenceState, now: int) -> bool:
        """Removes `subscriber`. `to`: left or elsewhere if the page was closed, lost if the connection just broke.

        True if that was the last connection of a player.
        """
        self._subscribers.remove(subscriber)
        went = self._presence.depart(subscriber.color, now, subscriber.silent, to)
        self.presence_changed(BACK_WITHIN_MS if subscriber.invited else 0)
        return went

    def silence_changed(self, subscriber: RoundSubscriber, now: int) -> bool:
        """`subscriber` has stopped answering, or answers again. True if a player's presence changes."""
        changed = self._presence.silence_changed(subscriber.color, now, subscriber.silent)
        if changed:
            self.presence_changed()
        return changed

    # --- who is here ------------------------------------------------------------------------------------------------

    def presence_changed(self, after_ms: int = 0) -> None:
        """Shows everybody who is here, `after_ms` from now; at most once a second if many come and go."""
        now = self._services.now()
        due = max(self._presence_shown_at + PRESENCE_EVERY_MS, now + after_ms)
        if now >= due:
            self._show_presence()
        else:
            self._services.timers.set((self.shown.id, "presence"), due, self._show_presence)

    def _show_presence(self) -> None:
        self._presence_shown_at = now = self._services.now()
        self._shown_lags = self._subscribers.lags()
        self._count_spectators()
        texts: dict[frozenset[str], str] = {}
        for subscriber in self._subscribers:
            hidden = self._hidden_from(subscriber)
            if hidden not in texts:
                texts[hidden] = self._presence_text(now, hidden)
            subscriber.outbox.put_latest(texts[hidden], in_turn=subscriber.watches)

    def _presence_text(self, now: int, hidden: frozenset[str]) -> str:
        """The encoded message of who is here at `now` (ms), without the names of these people (ids)."""
        presence = self._presence.message(self.shown, now, self.watchers, self._subscribers.lags())
        names = None if self._spectators is None else self._spectators.names_for(hidden)
        invited = self._subscribers.has_invited or None
        return encode(presence.model_copy(update={"names": names, "invited": invited}))

    def _count_spectators(self) -> None:
        if self._spectators is None and self._subscribers.watchers:
            self._spectators = Spectators(self._services, self.shown.id, self.presence_changed)
        if self._spectators is not None:
            self._spectators.count(self._subscribers.watchers)

    def _hidden_from(self, subscriber: RoundSubscriber) -> frozenset[str]:
        return frozenset() if self._spectators is None else self._spectators.hidden_from(subscriber.person)

    def hear_spectators(self, seen: SpectatorsOnNode) -> None:
        """Shows who watches at another process."""
        if self._spectators is None:
            self._spectators = Spectators(self._services, self.shown.id, self.presence_changed)
        self._spectators.hear(seen)

    def repeat_spectators(self) -> None:
        """Tells the other processes again who watches here."""
        if self._spectators is not None:
            self._spectators.repeat()

    def ping_players(self, now: int) -> None:
        """Measures both players' lag in a real-time game, and shows it if it has changed much. `now`: ms.

        It begins before the clock starts: otherwise a slow connection would cost time on the first moves.
        """
        if self.shown.status is not Status.LIVE or not self._subscribers.players:
            return
        for subscriber in self._subscribers.players:
            if self._is_ping_due(subscriber, now):
                self._ping(subscriber, now)
        lags = self._subscribers.lags()
        if any(abs(lags.get(color, 0) - self._shown_lags.get(color, 0)) >= LAG_STEP_MS for color in Color):
            self.presence_changed()

    def _is_ping_due(self, subscriber: RoundSubscriber, now: int) -> bool:
        """Is their lag to be measured? Not where no clock depends on it, or soon after the last time."""
        return subscriber.measures_lag(self.shown) and subscriber.meter.is_due(now)

    def _ping(self, subscriber: RoundSubscriber, now: int) -> None:
        payload = subscriber.meter.ping(now, self.shown.clock.turn is subscriber.color)
        subscriber.outbox.put(encode(outbound.PingOut(p=payload)))

    # --- the end of it ----------------------------------------------------------------------------------------------

    def show_text(self, text: str) -> None:
        """Sends `text`, which is no event of the game, to everybody."""
        for subscriber in self._subscribers:
            subscriber.show(text)

    def dismiss(self, farewell: str, code: int) -> None:
        """Sends `farewell` to everybody, "" for nothing, and closes all connections with `code`."""
        for subscriber in self._subscribers:
            if farewell:
                subscriber.outbox.put(farewell)
            subscriber.outbox.close(code)

    def stop(self) -> None:
        """Stops telling anybody anything."""
        self._services.timers.clear((self.shown.id, "presence"))
        if self._spectators is not None:
            self._spectators.stop()


class EventHistory:
    """The latest numbered events, for clients that reconnect. `v`: the number of the last one; 0 if there is none.

    Numbers are dense within an epoch. An epoch is the life of one Round in the memory of one process, and has a random
    name: after a restart, after unloading or in another process the same number can mean another event. So a client
    with another epoch always gets a snapshot.
    """

    __slots__ = ("_events", "_size", "epoch", "v")

    def __init__(self) -> None:
        self.epoch = secrets.token_hex(4)
        self.v = 0
        self._events: list[EncodedEvent] = []
        self._size = 0

    def append(self, players: str, watchers: str) -> None:
        """Adds event `v` + 1 as players and watchers read it, dropping the oldest if needed."""
        self.v += 1
        event = players if players == watchers else (players, watchers)
        self._events.append(event)
        self._size += _size(event)
        while len(self._events) > MAX_EVENTS or self._size > MAX_CHARACTERS:
            self._size -= _size(self._events.pop(0))

    def skip(self) -> None:
        """Counts event `v` + 1, which cannot be sent: everybody needs a snapshot instead."""
        self.v += 1
        self._events.clear()
        self._size = 0

    def since(self, epoch: str, v: int, watching: bool) -> list[str] | None:
        """The events after `v` of `epoch`, oldest first, as a player reads them, or a watcher if `watching`.

        None unless all of them are here.
        """
        missing = self.v - v
        if epoch != self.epoch or v < 0 or not 0 <= missing <= len(self._events):
            return None
        return [_read(event, watching) for event in self._events[len(self._events) - missing :]]


def _read(event: EncodedEvent, watching: bool) -> str:
    return event if isinstance(event, str) else event[watching]


def _size(event: EncodedEvent) -> int:
    return len(event) if isinstance(event, str) else len(event[0]) + len(event[1])
