"""One live game: commands come in one at a time, are stored, and are then shown to everybody who follows it.

The order is always: decide, store, adopt, answer the sender, pass it on (`round_changes`). Before the decision a
command only waits for its turn, and it is judged by its time of receipt. The game knows what a command means, the feed
what viewers read.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from server.games.changes.beginning import BothHere
from server.games.changes.claiming import Claim
from server.games.changes.ending import is_flagged
from server.games.changes.pausing import CreditStall
from server.games.changes.playing import PlayMove
from server.games.clocks.clock import MAX_BUSY_MS
from server.games.clocks.time_control import for_color
from server.games.command import Command
from server.games.errors import AlreadyPlayed, GameDeleted, GameOver, NotAllowed, Refused
from server.games.events import ClockAdjusted, Event, Moved
from server.games.frozen import replace
from server.games.game import play
from server.games.state import Game
from server.games.status import Status
from server.realtime.cluster.bus import Deleted, PresenceChanged, deletion_of
from server.realtime.cluster.presence import PresenceState
from server.realtime.play.chat import CHAT_LINES
from server.realtime.play.command_queue import Busy, CommandQueue
from server.realtime.play.creation import has_newcomer
from server.realtime.play.game_writer import SHORT_WAIT_MS, GameWriter, StorageDown, WriteResult
from server.realtime.play.meetings import check_meeting
from server.realtime.play.player_ratings import RatingDisplay
from server.realtime.play.round_changes import RoundChange, events_between, pass_on_change, publish_arrival
from server.realtime.play.round_feed import RoundFeed
from server.realtime.play.round_presence import RoundPresence
from server.realtime.play.round_subscribers import RoundSubscriber
from server.realtime.play.round_timers import DOUBT_MS, RoundTimers
from server.realtime.play.views import PlayerRatings
from server.realtime.protocol.wire import side
from server.realtime.runtime.stats import Stats
from server.realtime.shared import ALIVE_MS, Services
from server.rules.variant.pieces import Color
from server.storage.errors import StoreError
from server.storage.stores import ChatLine

log = logging.getLogger(__name__)

MAX_WAITING: Final = 16
PATIENCE_MS: Final = 60_000
ELSEWHERE_MS: Final = 10_000
"""A page that has heard nothing for this long connects to another process, if there is one."""


class Reply:
    """How the sender of a command learns of its outcome. This one is for a sender that waits for `submit` to return."""

    __slots__ = ()

    def waiting(self) -> None:
        """The command cannot be stored yet. May be called several times."""

    def done(self, v: int, dup: bool) -> None:
        """It is stored, or already was (`dup`). `v`: the number of its last event."""


NO_REPLY: Final = Reply()


class Round:
    """A live game in this process.

    `game`: as it is stored, plus time given back since, which is stored with the next command.
    """

    __slots__ = (
        "__weakref__",
        "_forget",
        "_owed_stalls",
        "_queue",
        "_rating_display",
        "_round_timers",
        "_services",
        "_stored_since",
        "_writer",
        "feed",
        "game",
        "idle_since",
        "presence",
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
        self._round_timers = RoundTimers(services.timers, self.feed.presence_changed)
        self._stored_since = game.clock.since
        """When (ms) this turn began as far as the store, and so every other process, knows."""
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
                await self._check_claim(command, now)
            await self._check_time(command, now)
            if command.brings_together:
                await check_meeting(self._services, self.game, command)
            try:
                result = await self._writer.write_command(self.game, command, now, patience_ms, waiting)
                if result.command != command:
                    self._adopt(result)
                    result = await self._writer.write_command(self.game, command, now, patience_ms, waiting)
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
        """Tells the sender that the write is slow.

        The commands that wait are refused, but not behind one without patience, which fails soon: a move may wait.
        """
        if patience_ms:
            self._queue.reject_waiting()
        reply.waiting()

    def _is_about_absence(self) -> bool:
        """Is a claim about who is at the board? One to an adjourned game, or about the time of days, is not."""
        return self.game.adjourned is None and not self.game.terms.control.by_days

    async def _check_claim(self, claim: Claim, now: int) -> None:
        """Raises NotAllowed while the opponent is here, or may be at a process that this one does not hear."""
        absent = claim.color.other
        at = self.presence.claimable_at(self.game, absent)
        if at is None or now < at:
            raise NotAllowed("opponent_here")
        if self._services.bus.alone:
            return
        try:
            alive = await self._services.store.nodes_alive(now - ALIVE_MS)
        except (StoreError, TimeoutError) as error:
            raise NotAllowed("absence_unknown") from error
        heard_since = self._services.hearing.hears_all(alive, self._services.now())
        allowance = at - self.presence[absent].since
        if heard_since is None or now < heard_since + allowance:
            raise NotAllowed("absence_unknown")

    async def _check_time(self, command: Command, now: int) -> None:
        """Before the flag of a player falls who may be at another process, and have more time there than is known here:
        looks what is stored, and raises NotAllowed as long as that process may yet store what it has given back.
        """
        if command.outlasts_time or not self._is_in_doubt(now) or not is_flagged(self.game, now):
            return
        try:
            stored = await self._services.store.load(self.game.id, self.game)
        except (StoreError, TimeoutError) as error:
            raise NotAllowed("time_in_doubt") from error
        if stored is not None and stored.rev > self.game.rev and not self._writer.waits_for_answer:
            self._catch_up(stored)
        if is_flagged(self.game, now) and self._is_in_doubt(now):
            raise NotAllowed("time_in_doubt")

    def _is_in_doubt(self, now: int) -> bool:
        """Can this process not tell by itself that the side to move is out of time at `now` (ms)?

        It can if it serves that player, or knows that no other process does. Otherwise it is for the one that does to
        say so, unless that has had time enough to say anything: while the store was away, it could not.
        """
        turn = self.game.clock.turn
        if self._services.bus.alone or turn is None or self.presence[turn].answers:
            return False
        deadline = self.game.deadline
        if deadline is None:
            return False
        if now < self._services.hearing.store_missed_at + DOUBT_MS:
            return True
        if now >= deadline + DOUBT_MS:
            return False
        return self.presence[turn].state is PresenceState.HERE or not self._services.hears_others

    def _adopt(self, result: WriteResult, reply: Reply = NO_REPLY) -> Refused | None:
        """Adopts what has been stored, answers the sender, and passes the change on; what another process has stored
        before comes first. Returns why the command was refused, if it was.
        """
        self._catch_up(result.base)
        now = self._services.now()
        changed = result.game is not result.base
        if changed:
            # The next side's time begins when the move is shown, not when it was received: nobody pays for our disk.
            self.game = result.game.with_turn_from(now) if isinstance(result.command, PlayMove) else result.game
            self._stored_since = result.game.clock.since
        refused = _refusal_of(result)
        repeated = isinstance(refused, AlreadyPlayed)
        if refused is None or repeated:
            reply.done(self.feed.v + len(result.events), repeated)
        if changed:
            self._pass_on(RoundChange(self.game, result.events, result), now)
        owed, self._owed_stalls = self._owed_stalls, ()
        # If time stood still until this was stored, what is owed has been given back with it.
        if owed and not any(isinstance(event, ClockAdjusted) for event in result.events):
            for stall in owed:
                self._give_back(stall)
        self._update()
        return None if repeated else refused

    def _catch_up(self, stored: Game) -> None:
        """Adopts and passes on what another process has stored meanwhile, if anything: no turn was held up here.

        The process that shows a move to the player whose turn it makes begins that turn; if they have no page
        elsewhere, that is this one. So nobody pays for a store or a bus that was slow.
        """
        before = self.game
        if stored.rev <= before.rev:
            return
        now = self._services.now()
        self._owed_stalls = ()
        events = events_between(before, stored)
        self.game = stored.with_time_of(before)
        # If it is the same, it may be this process whose time has been stored with something else, or not.
        if (len(stored.plies), stored.clock.since) != (len(before.plies), before.clock.since):
            self._stored_since = stored.clock.since
        if len(stored.plies) > len(before.plies) and self._shows_first(stored):
            self.game = stored.with_turn_from(now)
        self._pass_on(RoundChange(self.game, events), now)

    def _shows_first(self, stored: Game) -> bool:
        turn = stored.clock.turn
        by_the_minute = stored.terms.control.by_the_minute
        return turn is not None and by_the_minute and self.presence[turn].only_here(stored.clock.since)

    def _pass_on(self, change: RoundChange, now: int) -> None:
        pass_on_change(self._services, self.feed, self.presence, change, now)

    async def refresh(self) -> None:
        """Shows what another process has stored, if anything. Raises Busy, Unavailable."""
        async with self._queue:
            stored = await self._services.store.load(self.game.id, self.game)
            if stored is None:
                self._forget(deletion_of(self.game))
                return
            confirmed = self._writer.confirm(self.game, stored)
            if confirmed is not None:
                self._adopt(confirmed)
            else:
                self._catch_up(stored)
                self._update()

    async def fetch_chat(self) -> None:
        """Shows the chat that another process has stored. Raises Unavailable."""
        self.feed.catch_up_chat(await self._services.store.chat(self.game.id, CHAT_LINES))

    def credit_stall(self, ms: int, *, busy: bool) -> None:
        """This process stalled for `ms` until now: the side to move gets that time back at once, if it was held up.

        `busy`: it was not stopped but overloaded, so there is a limit to what is given back. If there are other
        processes, only a player who was connected here alone was held up, and only until their page went elsewhere; it
        is stored soon enough that these know it. Otherwise it is stored with the next command: storing every game after
        a stall would cause the next one. If a command is running it waits for that.
        """
        if not self._services.bus.alone:
            ms = _held_up_ms(self.game, self.presence, ms, self._services.now())
        stall = CreditStall(ms, busy)
        if self._queue.running:
            self._owed_stalls = (*self._owed_stalls, stall)
        else:
            self._give_back(stall)
            self._update()

    def _give_back(self, stall: CreditStall) -> None:
        now = self._services.now()
        self.game, events = _credited(self.game, stall, now, self._services.stats)
        self._pass_on(RoundChange(self.game, events), now)

    def _update(self) -> None:
        now = self._services.now()
        self._rating_display.update(self.game)
        in_doubt = self._is_in_doubt(now)
        self._round_timers.update(self.game, self.presence, now, self._submit_later, in_doubt=in_doubt)
        if not self._services.bus.alone:
            self._round_timers.keep_turn(self.game, self.game.clock.since - self._stored_since, self._submit_later)
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
            log.debug("game %s: %r was not carried out: %s", self.game.id, command, error)
            if self._is_in_doubt(self._services.now()):
                self._update()
        except Busy:
            self._round_timers.retry_later(self.game, self._services.now(), self._submit_later)

    def subscribe(self, subscriber: RoundSubscriber, epoch: str, v: int, now: int) -> None:
        """Adds `subscriber`, who gets what happened after event `v` of `epoch`."""
        if self.feed.subscribe(subscriber, epoch, v, now):
            self._presence_changed(subscriber.color)
            publish_arrival(self._services, self.game, subscriber.color)

    def unsubscribe(self, subscriber: RoundSubscriber, to: PresenceState, now: int) -> None:
        """Removes `subscriber`, as `RoundFeed.unsubscribe`."""
        self.idle_since = now
        if self.feed.unsubscribe(subscriber, to, now):
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
        """Tells the other processes again who is here, and drops what they said long ago."""
        self.feed.repeat_spectators()
        for color in Color:
            seat = self.presence[color]
            if seat.answers:
                self._services.bus.tell(PresenceChanged(self.game.id, color, seat.state))
            elif self._services.hears_others and seat.forget(self._services.now()):
                self.feed.presence_changed()
                self._update()

    def hear_presence(self, seen: PresenceChanged) -> None:
        """Notes where a player is according to another process."""
        if self.presence[seen.color].hear(seen.state, self._services.now()):
            self.feed.presence_changed()
            self._update()

    def restart_timers(self) -> None:
        """Sets the timers again: the round is used again."""
        self.idle_since = self._services.now()
        self._round_timers.restart()
        self._update()

    def stop(self) -> None:
        """Stops the timers: the round is unloaded or deleted."""
        self._round_timers.end(self.game)
        self.feed.stop()


def _refusal_of(result: WriteResult) -> Refused | None:
    """Why the command changed nothing; None: it did. A move that came after its player's time is refused, too."""
    has_ended_turn = isinstance(result.command, PlayMove) and result.game is not result.base
    if has_ended_turn and not any(isinstance(event, Moved) for event in result.events):
        return GameOver("time_out")
    return result.refused


def _held_up_ms(game: Game, presence: RoundPresence, ms: int, now: int) -> int:
    """For how many of the last `ms` this process, of several, held up the side to move."""
    turn = game.clock.turn
    here = turn is not None and presence[turn].only_here(now - ms)
    return min(ms, ELSEWHERE_MS) if here else 0


def _credited(game: Game, stall: CreditStall, now: int, stats: Stats) -> tuple[Game, tuple[Event, ...]]:
    """`game` with the stall given back, and its events. The revision stays, since it is not stored by itself."""
    if game.status is not Status.LIVE:
        return game, ()
    after, events = play(game, stall, now)
    turn = game.clock.turn
    if turn is not None and for_color(game.clock.busy_ms, turn) < MAX_BUSY_MS <= for_color(after.clock.busy_ms, turn):
        stats.busy_limits += 1
        log.warning(
            "game %s: the server was busy on the turns of %s so often or so long that no more time is given back",
            game.id,
            side(turn),
        )
    return replace(after, rev=game.rev), events
