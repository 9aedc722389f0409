"""The viewers of one round, and what each of them gets to read.

It is handed what has been stored, and decides nothing about the game. Every event is numbered, encoded once for all who
read the same, kept for those who reconnect, and put into each outbox; nothing waits.
"""

from collections.abc import Sequence, Set
from functools import partial

from server.games.clock_events import ClockPaused, ClockResumed
from server.games.events import Ended, Event, Joined
from server.games.state import Game
from server.games.status import Status
from server.realtime.play import views
from server.realtime.play.chat.history import CHAT_LINES, ChatHistory
from server.realtime.play.history.event_history import EventHistory
from server.realtime.play.history.snapshot_cache import SnapshotCache
from server.realtime.play.presence_feed import BACK_WITHIN_MS, PresenceFeed
from server.realtime.play.round_presence import RoundPresence
from server.realtime.play.round_subscribers import RoundSubscriber, RoundSubscribers
from server.realtime.process.services import Services
from server.realtime.protocol import game_events, outbound
from server.realtime.protocol.codec import encode, with_field
from server.realtime.protocol.snapshot import Clocks
from server.rules.variant.pieces import Color
from server.storage.stores import ChatLine


class RoundFeed:
    """The viewers of one round. `shown`: the game as they have seen it; `ratings`: those of the players.

    `chat`: what was said lately. `presence`: that of the round, updated here as subscribers come and go, which
    `presence_feed` tells.
    """

    __slots__ = (
        "_history", "_presence", "_services", "_snapshots", "_subscribers", "chat", "presence_feed", "ratings", "shown",
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
        self.presence_feed = PresenceFeed(services, presence, self._subscribers, self._shown_now)
        self._snapshots = SnapshotCache()

    def _shown_now(self) -> Game:
        return self.shown

    def __len__(self) -> int:
        return len(self._subscribers)

    @property
    def v(self) -> int:
        """The number of the last event."""
        return self._history.v

    @property
    def watchers(self) -> int:
        return self._subscribers.watchers

    def snapshot(self, color: Color | None, *, invited: bool = False, reader: str | None = None) -> str:
        """The encoded snapshot for `reader` (an id), who plays `color` (None: who watches, or is `invited`)."""
        now, unheard = self._services.now(), self.chat.speakers(self._services.blocks.unheard_by(reader))
        make = partial(
            views.snapshot,
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
        return self._snapshots.read(self.shown, self.v, (color, invited, unheard), make, Clocks.of(self.shown, now))

    def whole(self, subscriber: RoundSubscriber) -> str:
        """The encoded snapshot, as this subscriber may see it."""
        return self.snapshot(subscriber.color, invited=subscriber.invited, reader=subscriber.person)

    def blocks_changed(self, people: Set[str]) -> None:
        """Shows the chat anew to those of these people (ids) who follow the game."""
        for subscriber in self._subscribers if self.chat.lines else ():
            if subscriber.person in people:
                subscriber.outbox.put(self.whole(subscriber))

    # --- what happens -----------------------------------------------------------------------------------------------

    def show(self, game: Game, events: Sequence[Event] | None, now: int) -> None:
        """Shows the `events` that led to `game`; None: too much has happened, so all get a snapshot."""
        before, self.shown = self.shown, game
        self._snapshots.forget()
        if events is None:
            self._history.skip()
            self._reseat()
            for subscriber in self._subscribers:
                subscriber.tell(self.whole(subscriber))
            return
        for event in events:
            self._tell(event, now)
        for color in Color if game.conditional != before.conditional else ():
            if (prepared := views.conditional(game, color)) != views.conditional(before, color):
                self._subscribers.put_to(color, encode(outbound.ConditionalOut(steps=prepared or [])))

    def _tell(self, event: Event, now: int) -> None:
        """Sends an event; the player to move gets the legal moves with it."""
        text = encode(game_events.event_message(event, self.shown, self.v + 1, now, self._services.bots))
        self._history.append(text, text)
        if isinstance(event, ClockPaused | ClockResumed):
            # Claims are impossible while the clocks stand, and possible again when they run.
            self.presence_feed.changed()
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
                subscriber.tell(text)
                continue
            subscriber.outbox.put(with_legal, more=self.presence_feed.pings(subscriber, now))
            self.presence_feed.ping(subscriber, now)

    def _open_watchers_chat(self) -> None:
        """Sends the players a snapshot: from now on they may read the watchers' chat."""
        if all(line.room == "players" for line in self.chat.lines):
            return
        self._history.skip()
        nothing = encode(game_events.Nothing(v=self.v))
        for subscriber in self._subscribers:
            subscriber.tell(nothing if subscriber.color is None else self.whole(subscriber))

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
            self._presence.depart(subscriber.color, now, subscriber.silent, said_goodbye=True)
            subscriber.color, subscriber.invited = color, invited
            self._subscribers.add(subscriber)
            subscriber.outbox.put(self.whole(subscriber))
            self._presence.arrive(subscriber.color, now, subscriber.silent)
        self.presence_feed.changed()

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
        subscriber.outbox.put_latest(self.presence_feed.text(now))
        self.presence_feed.changed()
        return came

    def _resume(self, subscriber: RoundSubscriber, missed: Sequence[str], now: int) -> None:
        for text in missed:
            subscriber.outbox.put(text)
        color, clock = subscriber.color, Clocks.of(self.shown, now)
        legal = views.legal(self.shown) if views.sees_legal(self.shown, color) else None
        prepared = views.conditional(self.shown, color)
        subscriber.outbox.put(encode(outbound.Resumed(v=self.v, clock=clock, legal=legal, conditional=prepared)))

    def unsubscribe(self, subscriber: RoundSubscriber, said_goodbye: bool, now: int) -> bool:
        """Removes `subscriber`. `said_goodbye`: the page was closed, the connection did not just break.

        True if that was the last connection of a player.
        """
        self._subscribers.remove(subscriber)
        went = self._presence.depart(subscriber.color, now, subscriber.silent, said_goodbye=said_goodbye)
        self.presence_feed.changed(BACK_WITHIN_MS if subscriber.invited else 0)
        return went

    def silence_changed(self, subscriber: RoundSubscriber, now: int) -> bool:
        """`subscriber` has stopped answering, or answers again. True if a player's presence changes."""
        changed = self._presence.silence_changed(subscriber.color, now, subscriber.silent)
        if changed:
            self.presence_feed.changed()
        return changed

    # --- the end of it ----------------------------------------------------------------------------------------------

    def tell(self, text: str) -> None:
        """Sends `text`, which is no event of the game, to everybody."""
        for subscriber in self._subscribers:
            subscriber.tell(text)

    def dismiss(self, farewell: str, code: int) -> None:
        """Sends `farewell` to everybody and closes all connections with `code`."""
        for subscriber in self._subscribers:
            subscriber.outbox.put(farewell)
            subscriber.outbox.close(code)

    def stop(self) -> None:
        """Stops telling anybody anything."""
        self.presence_feed.stop()
