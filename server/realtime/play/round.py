"""One live game: commands come in one at a time, are stored, and are then shown to everybody who follows it.

The order is always: decide, store, adopt, answer the sender, tell the viewers. Before the decision a command only waits
for its turn, and it is judged by its time of receipt. The game knows what a command means, the feed what viewers read.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from server.games.changes.beginning import BothHere
from server.games.changes.claiming import Claim
from server.games.changes.pausing import CreditStall
from server.games.changes.playing import PlayMove
from server.games.clock_events import ClockAdjusted
from server.games.command import Command
from server.games.errors import AlreadyPlayed, GameDeleted, GameOver, NotAllowed, Refused
from server.games.events import Event, Moved
from server.games.state import Game
from server.realtime.play.announcements import announce_arrival, announce_events, announce_write, note_fault
from server.realtime.play.chat.history import CHAT_LINES
from server.realtime.play.command_queue import Busy, CommandQueue
from server.realtime.play.game_writer import SHORT_WAIT_MS, GameWriter, StorageDown, WriteResult
from server.realtime.play.history.events_between import events_between
from server.realtime.play.meetings import check_meeting
from server.realtime.play.players.newcomers import has_newcomer
from server.realtime.play.players.player_ratings import RatingDisplay
from server.realtime.play.reply import NO_REPLY, Reply
from server.realtime.play.round_feed import RoundFeed
from server.realtime.play.round_presence import RoundPresence
from server.realtime.play.round_subscribers import RoundSubscriber
from server.realtime.play.round_timers import RoundTimers
from server.realtime.play.stalls import credited, held_up_ms
from server.realtime.play.views import PlayerRatings
from server.realtime.process.bus import Deleted, PresenceChanged, deletion_of, game_stored
from server.realtime.process.presence import PresenceState
from server.realtime.process.services import Services
from server.rules.variant.pieces import Color
from server.storage.stores import ChatLine

log = logging.getLogger(__name__)

MAX_WAITING: Final = 16
PATIENCE_MS: Final = 60_000


class Round:
    """A live game in this process.

    `game`: as it is stored, plus time given back since, which is stored with the next command.
    """

    __slots__ = (
        "_forget", "_owed_stalls", "_queue", "_rating_display", "_round_timers", "_services", "_writer", "feed",
        "game", "idle_since", "presence",
    )  # fmt: skip

    def __init__(
        self,
        services: Services,
        game: Game,
        chat: Sequence[ChatLine],
        ratings: PlayerRatings,
        forget: Callable[[Deleted], None],
    ) -> None:
        """`forget` is called when the game turns out to be deleted."""
        self.game = game
        self.presence = RoundPresence(services.now())
        for color, at in services.boards_elsewhere.here(game.id, services.now()).items():
            self.presence[color].hear(PresenceState.HERE, at)
        self.feed = RoundFeed(services, game, self.presence, chat, ratings)
        self.idle_since = services.now()
        self._forget = forget
        self._services = services
        self._owed_stalls: tuple[CreditStall, ...] = ()
        self._writer = GameWriter(services)
        self._rating_display = RatingDisplay(services, self.feed)
        self._queue = CommandQueue(MAX_WAITING)
        self._round_timers = RoundTimers(services.timers, self.feed.presence_feed.changed)
        self._update()

    @property
    def busy(self) -> bool:
        """Does anybody follow it, or is a command under way?"""
        return len(self.feed) > 0 or self._queue.running

    async def submit(self, command: Command, now: int, reply: Reply = NO_REPLY, patience_ms: int = PATIENCE_MS) -> None:
        """Runs `command`, received at `now` (ms), and returns when it is durable and everybody has been told.

        Raises Refused (nothing was done), Busy (too many commands are waiting), StorageDown (nothing could be stored
        within `patience_ms`).
        """
        if not self._queue.running:
            await self._in_turn(command, now, reply, patience_ms)
            return
        behind = (self.game.id, "behind another", reply)
        self._services.timers.set(behind, now + SHORT_WAIT_MS, reply.waiting)
        try:
            await self._in_turn(command, now, reply, patience_ms)
        finally:
            self._services.timers.clear(behind)

    async def _in_turn(self, command: Command, now: int, reply: Reply, patience_ms: int) -> None:
        waiting = partial(self._waiting, reply, patience_ms)
        async with self._queue:
            if isinstance(command, Claim) and self._is_about_absence():
                self._check_claim(command, now)
            if command.brings_together:
                await check_meeting(self._services, self.game, command)
            try:
                result = await self._writer.write(self.game, command, now, patience_ms, waiting)
                if result.command != command:
                    self._adopt(result, NO_REPLY)
                    result = await self._writer.write(self.game, command, now, patience_ms, waiting)
            except StorageDown:
                # Time has stood still since the command arrived, so what is owed has been given back.
                self._owed_stalls = ()
                self._round_timers.retry_later(self.game, self._services.now(), self._submit_later)
                raise
            except GameDeleted:
                # The sender gets the answer before the connection is closed.
                asyncio.get_running_loop().call_soon(self._forget, deletion_of(self.game))
                raise
            refused = self._adopt(result, reply)
        if refused is not None:
            raise refused

    def _waiting(self, reply: Reply, patience_ms: int) -> None:
        """Says that the store is slow. A command without patience is soon over: a move may wait behind it."""
        if patience_ms:
            self._queue.reject_waiting()
        reply.waiting()

    def _is_about_absence(self) -> bool:
        """Is a claim about who is at the board? One to an adjourned game, or about the time of days, is not."""
        return self.game.adjourned is None and not self.game.terms.control.by_days

    def _check_claim(self, claim: Claim, now: int) -> None:
        at = self.presence.claimable_at(self.game, claim.color.other)
        if at is None or now < at:
            raise NotAllowed("opponent_here")

    def _adopt(self, result: WriteResult, reply: Reply) -> Refused | None:
        """Shows what has been stored; returns why the command came to nothing, if it did."""
        now, command = self._services.now(), result.command
        self._catch_up(result.base)
        refused = result.refused
        if result.game is not result.base:
            # The next side's time begins when the move is shown, not when it was received: nobody pays for our disk.
            self.game = result.game.with_turn_from(now) if isinstance(command, PlayMove) else result.game
            if isinstance(command, PlayMove) and not any(isinstance(event, Moved) for event in result.events):
                refused = GameOver("time_out")
        repeated = isinstance(refused, AlreadyPlayed)
        if refused is None or repeated:
            reply.done(self.feed.v + len(result.events), repeated)
        if result.game is not result.base:
            self._services.bus.tell(game_stored(self.game))
            note_fault(self._services, result, self.presence, now)
            self._show(result.events, now)
            announce_write(self._services, result, self.game, self.presence)
        owed, self._owed_stalls = self._owed_stalls, ()
        # If time stood still until this was stored, what is owed has been given back with it.
        if owed and not any(isinstance(event, ClockAdjusted) for event in result.events):
            for stall in owed:
                self._give_back(stall)
        self._update()
        return None if repeated else refused

    def _catch_up(self, stored: Game) -> None:
        """Shows what another process has stored meanwhile, which means that no turn was held up here."""
        if stored.rev > self.game.rev:
            self._owed_stalls = ()
            events = events_between(self.game, stored)
            self.game = stored
            self._show(events, self._services.now())

    def _show(self, events: Sequence[Event] | None, now: int) -> None:
        """Shows everybody the `events` that led to the game; None: a snapshot, since too much has happened."""
        self.feed.show(self.game, events, now)
        announce_events(self._services, self.game, events, self.presence)

    async def refresh(self) -> None:
        """Shows what another process has stored, if anything. Raises Busy, Unavailable."""
        async with self._queue:
            stored = await self._services.store.load(self.game.id, self.game)
            if stored is None:
                self._forget(deletion_of(self.game))
                return
            confirmed = self._writer.confirm(self.game, stored)
            if confirmed is not None:
                self._adopt(confirmed, NO_REPLY)
            else:
                self._catch_up(stored)
                self._update()

    async def fetch_chat(self) -> None:
        """Shows the chat that another process has stored. Raises Unavailable."""
        self.feed.catch_up_chat(await self._services.store.chat(self.game.id, CHAT_LINES))

    def credit_stall(self, ms: int, *, busy: bool) -> None:
        """This process stalled for `ms` until now: the side to move gets that time back at once, if it was held up.

        `busy`: it was not stopped but overloaded, so there is a limit to what is given back. If there are other
        processes, only a player who was connected here alone was held up, and only until their page went elsewhere. It
        is stored with the next command: storing every game after a stall would cause the next one. If a command is
        running it waits for that.
        """
        if not self._services.bus.alone:
            ms = held_up_ms(self.game, self.presence, ms, self._services.now())
        stall = CreditStall(ms, busy)
        if self._queue.running:
            self._owed_stalls = (*self._owed_stalls, stall)
        else:
            self._give_back(stall)
            self._update()

    def _give_back(self, stall: CreditStall) -> None:
        now = self._services.now()
        self.game, events = credited(self.game, stall, now, self._services.stats)
        self._show(events, now)

    def _update(self) -> None:
        now = self._services.now()
        self._rating_display.update(self.game)
        self._round_timers.update(self.game, self.presence, now, self._submit_later)
        if self._writer.stalled_since is not None:
            self._round_timers.retry_later(self.game, now, self._submit_later)

    def _submit_later(self, command: Command) -> None:
        now = self._services.now()
        # A move that arrived before its player's time was up may still be waiting.
        self._services.throttle.let_others_first(partial(self._spawn, command, now))

    def _spawn(self, command: Command, now: int) -> None:
        self._services.background.spawn(self._submit_quietly(command, now))

    async def _submit_quietly(self, command: Command, now: int) -> None:
        """Runs a command of the server's own. If it fails, or has become pointless, a later check deals with it."""
        if isinstance(command, BothHere):
            command = BothHere(unhurried=await has_newcomer(self._services.store.ratings, self.game))
            now = self._services.now()
        try:
            await self.submit(command, now, patience_ms=0)
        except (Refused, StorageDown) as error:
            log.debug("game %s: %r came to nothing: %s", self.game.id, command, error)
        except Busy:
            self._round_timers.retry_later(self.game, self._services.now(), self._submit_later)

    def subscribe(self, subscriber: RoundSubscriber, epoch: str, v: int, now: int) -> None:
        """Adds `subscriber`, who gets what happened after event `v` of `epoch`."""
        if self.feed.subscribe(subscriber, epoch, v, now):
            self._presence_changed(subscriber.color)
            announce_arrival(self._services, self.game, subscriber.color)

    def unsubscribe(self, subscriber: RoundSubscriber, said_goodbye: bool, now: int) -> None:
        """Removes `subscriber`. `said_goodbye`: the page was closed, the connection did not just break."""
        self.idle_since = now
        if self.feed.unsubscribe(subscriber, said_goodbye, now):
            self._presence_changed(subscriber.color)

    def silence_changed(self, subscriber: RoundSubscriber, now: int) -> None:
        """`subscriber` has stopped answering, which for the opponent is as if they were gone, or answers again."""
        if self.feed.silence_changed(subscriber, now):
            self._presence_changed(subscriber.color)

    def _presence_changed(self, color: Color | None) -> None:
        if color is not None:
            self._services.bus.tell(PresenceChanged(self.game.id, color, self.presence[color].state))
        self._update()

    def repeat_presence(self) -> None:
        """Tells the other processes again which players are here, and drops what they said long ago."""
        for color in Color:
            seat = self.presence[color]
            if seat.answers:
                self._services.bus.tell(PresenceChanged(self.game.id, color, seat.state))
            elif seat.forget(self._services.now()):
                self.feed.presence_feed.changed()
                self._update()

    def hear(self, seen: PresenceChanged) -> None:
        """Takes the word of another process about where a player is."""
        if self.presence[seen.color].hear(seen.state, self._services.now()):
            self.feed.presence_feed.changed()
            self._update()

    def stop(self) -> None:
        """Ends the timers: the round is no longer used."""
        self._round_timers.end(self.game)
        self.feed.stop()
