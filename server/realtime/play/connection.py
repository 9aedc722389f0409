"""The connection of a client: its messages become commands of the round it follows, and every command is answered.

Who somebody is was decided before; what they may do follows from their seat. Each command runs in its own task, so that
a game waiting for the store does not delay this client's pings; tasks start in the order of their messages. When the
server stops, commands are not answered: the connection closes and the client sends them again.
"""

import asyncio
import logging
import secrets
from functools import partial
from typing import Final, Generic

from server.games.changes.beginning import is_invited
from server.games.changes.playing import PrepareMoves
from server.games.command import Command, acting_side
from server.games.conditional import judge_tree
from server.games.errors import NotAllowed, Stale
from server.games.player import Player
from server.games.state import Game
from server.realtime.cluster.presence import PresenceState
from server.realtime.play.command_queue import Busy
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.round import Reply, Round
from server.realtime.play.round_subscribers import RoundSubscriber
from server.realtime.play.rounds import NoSuchGame, Rounds
from server.realtime.protocol import inbound, outbound, wire
from server.realtime.protocol.codec import BadMessage, decode, encode, encode_ok, encode_refusal, read_message
from server.realtime.protocol.feed import Feed, HiType, Subscriber
from server.realtime.protocol.inbound import Bye, GameCommand, Ping
from server.realtime.protocol.outbox import Outbox
from server.realtime.protocol.wire import Room
from server.realtime.runtime.ids import digest
from server.realtime.runtime.limits import TokenBucket
from server.realtime.runtime.timers import Timers
from server.rules.errors import Refusal
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable, Unreadable
from server.storage.time_slices import run_sliced

log = logging.getLogger(__name__)

HELLO_MS: Final = 10_000
WINDOW_MS: Final = 20_000
PLAYER_MESSAGES: Final = 100
WATCHER_MESSAGES: Final = 50
MAX_FAULTS: Final = 10
"""Unreadable or excess messages per window that are answered; the next one closes the connection."""
MAX_UNANSWERED: Final = 16
FEED_MESSAGES: Final = 20
HELLO_COST: Final = 5
"""A `hi` is answered with the whole game, and a page sends it once."""
RESYNCS: Final = 10
"""Snapshots after refused moves per window; accepted moves do not count."""

BAD_PROTOCOL: Final = 4400
HELLO_TIMEOUT: Final = 4408
POLICY: Final = 1008
TRY_LATER: Final = 1013

RESYNC: Final = frozenset({"stale", "not_your_turn", "illegal", "over", "not_started"})
"""Refusals of a move that suggest that the sender's board is wrong: a snapshot follows, once per state of the game."""

Asking = GameCommand | inbound.Conditional
"""What only a player may ask for."""
Subscription = tuple[Round, RoundSubscriber]
"""The round that a connection follows, and its subscription there."""

PONG: Final = encode(outbound.PongOut())


class NotAPlayer(Refusal):
    """They may watch, but have no seat or no name."""

    code = "not_a_player"


class CommandReply(Reply):
    """The reply to the command with the sender's id `request`: maybe a `wait`, then an `ok` or an `error`."""

    __slots__ = ("_outbox", "_request", "_waited")

    def __init__(self, outbox: Outbox, request: int) -> None:
        self._outbox = outbox
        self._request = request
        self._waited = False

    def waiting(self) -> None:
        """Sends, once, that it cannot be stored yet."""
        if not self._waited:
            self._waited = True
            self._outbox.put(encode(outbound.Wait(id=self._request, why="storage")))

    def done(self, v: int, dup: bool) -> None:
        """Sends that it is stored. `v`: its last event. `dup`: it had been done before.

        Its events follow at once, so they are written with it: a write costs as much as making the message.
        """
        self._outbox.put(encode_ok(self._request, v, dup), more=True)

    def refused(self, refusal: Refusal, v: int | None = None) -> None:
        """Sends that nothing was done. `v` as in outbound.Error."""
        self._outbox.put(encode_refusal(refusal, self._request, v))


class Connection:
    """An open connection. `player`: None for somebody without a name yet, who can watch.

    The socket calls `receive` for each text frame and `closed` once at the end, and sends what is in the outbox.
    """

    __slots__ = (
        "_bucket", "_closed", "_entering", "_faults", "_gone_to", "_outbox", "_resynced", "_resyncs", "_rounds",
        "_services", "_subscriber", "_subscription", "_unanswered", "player",
    )  # fmt: skip

    def __init__(self, rounds: Rounds, player: Player | None, outbox: Outbox) -> None:
        self.player = player
        self._rounds = rounds
        self._services = rounds.services
        self._outbox = outbox
        self._subscriber = RoundSubscriber(outbox, player)
        self._subscription: Subscription | None = None
        self._entering: asyncio.Task[None] | None = None
        self._bucket = TokenBucket(WATCHER_MESSAGES, WINDOW_MS)
        self._faults = TokenBucket(MAX_FAULTS, WINDOW_MS)
        self._resyncs = TokenBucket(RESYNCS, WINDOW_MS)
        self._unanswered = 0
        self._resynced: tuple[str, int] | None = None
        self._gone_to = PresenceState.LOST
        self._closed = False
        self._services.timers.set(self, self._services.now() + HELLO_MS, partial(outbox.close, HELLO_TIMEOUT))

    def receive(self, text: str, now: int) -> None:
        """Handles a text frame that arrived at `now` (ms). Never waits and never raises."""
        if self._closed or self._outbox.closed:
            return
        try:
            if self._affords(1, now):
                self._take(decode(text), now)
        except BadMessage as error:
            self._fault(error, now)
        except Exception:
            self._internal(None)

    def silence_changed(self, silent: bool, now: int) -> None:
        """The client has stopped answering pings, or answers again."""
        self._subscriber.silent = silent
        if self._subscription is not None:
            followed, subscriber = self._subscription
            followed.silence_changed(subscriber, now)

    def closed(self, now: int) -> None:
        """The connection is closed."""
        if self._closed:
            return
        self._closed = True
        self._outbox.close(1000)
        self._services.timers.clear(self)
        self._leave(now)

    def _take(self, message: inbound.Inbound, now: int) -> None:
        match message:
            case inbound.Hi():
                self._hi(message, now)
            case inbound.Ping():
                self._outbox.put(PONG)
            case inbound.Pong():
                self._pong(message, now)
            case inbound.Bye():
                self._gone_to = PresenceState.ELSEWHERE if message.within else PresenceState.LEFT
            case _:
                self._start(message, now)

    def _pong(self, message: inbound.Pong, now: int) -> None:
        meter = self._subscriber.meter
        if not meter.pong(message.p, now):
            return
        # Every turn has one: our pings must not use up the messages of fast players.
        self._bucket.refund()
        if (jump := meter.take_own_turn_delay()) is not None and self._subscription is not None:
            followed, subscriber = self._subscription
            self._services.stats.late_on_turn += 1
            log.warning(
                "game %s: the socket of %s is %d ms slower on their own turns",
                followed.game.id,
                subscriber.color,
                jump,
            )

    def _affords(self, cost: int, now: int) -> bool:
        """Takes `cost` tokens; if there are too few, tells the sender and returns False."""
        if self._bucket.take(now, cost):
            return True
        self._services.stats.rate_limited += 1
        self._fault(Refusal("rate"), now)
        return False

    # --- faults -----------------------------------------------------------------------------------------------------

    def _fault(self, refusal: Refusal, now: int) -> None:
        self._outbox.put(encode_refusal(refusal))
        if not self._faults.take(now):
            self._outbox.close(POLICY)

    def _internal(self, reply: CommandReply | None) -> None:
        """Logs an internal error under a number, and tells the client that number."""
        number = secrets.token_hex(4)
        log.exception("error %s", number)
        self._services.stats.failed += 1
        refusal = Refusal("internal", number=number)
        if reply is None:
            self._outbox.put(encode_refusal(refusal))
        else:
            reply.refused(refusal)

    # --- following a game -------------------------------------------------------------------------------------------

    def _hi(self, message: inbound.Hi, now: int) -> None:
        if close_if_outdated(self._outbox, message.proto) or not self._affords(HELLO_COST - 1, now):
            return
        # Only now: a client that greets too often, and so never follows a game, must not stay connected for ever.
        self._services.timers.clear(self)
        self._gone_to = PresenceState.LEFT
        self._leave(now)
        self._gone_to = PresenceState.LOST
        self._entering = self._services.background.spawn(self._enter(message))

    async def _enter(self, message: inbound.Hi) -> None:
        found = await self._find(message.game)
        self._entering = None
        if found is not None and message.watch and self._plays(found.game):
            self._outbox.put(encode_refusal(NotAllowed("plays_here")))
        elif found is not None and not self._closed:
            self._subscription = (found, self._subscriber)
            self._subscriber.invited = is_invited(found.game, self.player, digest(message.secret))
            found.subscribe(self._subscriber, message.epoch, message.v, self._services.now())

    def _plays(self, game: Game) -> bool:
        return self.player is not None and game.color_of(self.player.id) is not None

    async def _find(self, game: str) -> Round | None:
        """The round of that game; None, after telling the client why, if it cannot be loaded."""
        try:
            found = await self._rounds.get(game)
        except (Unavailable, TimeoutError):
            self._outbox.put(encode_refusal(StorageDown("store_away")))
            self._outbox.close(TRY_LATER)
            return None
        except Unreadable:
            self._outbox.put(encode_refusal(Refusal("damaged")))
            return None
        except Exception:
            self._internal(None)
            return None
        if found is None:
            self._outbox.put(encode_refusal(NoSuchGame()))
        return found

    def _leave(self, now: int) -> None:
        if self._entering is not None:
            self._entering.cancel()
            self._entering = None
        if self._subscription is not None:
            (left, subscriber), self._subscription = self._subscription, None
            left.unsubscribe(subscriber, self._gone_to, now)
        self._subscriber = RoundSubscriber(self._outbox, self.player, meter=self._subscriber.meter)

    # --- commands ---------------------------------------------------------------------------------------------------

    def _start(self, message: Asking | inbound.Chat, now: int) -> None:
        reply = CommandReply(self._outbox, message.id)
        if self._unanswered >= MAX_UNANSWERED:
            reply.refused(Busy("too_many_commands"))
            return
        self._unanswered += 1
        self._services.background.spawn(self._run(message, reply, now, self._subscription))

    async def _run(
        self, message: Asking | inbound.Chat, reply: CommandReply, now: int, subscription: Subscription | None
    ) -> None:
        """Runs a command, even if the connection breaks right after it."""
        try:
            if self._entering is not None:
                await asyncio.wait({self._entering})
            subscription = subscription or self._subscription
            if self._rounds.stopping:
                return
            self._services.stats.commands += 1
            if subscription is None:
                reply.refused(NoSuchGame("no_hi"))
            elif isinstance(message, inbound.Chat):
                await self._post_chat(message.text, reply, now, *subscription)
            else:
                await self._ask(message, reply, now, *subscription)
        except Exception:
            self._internal(reply)
        finally:
            self._unanswered -= 1

    async def _ask(
        self, message: Asking, reply: CommandReply, now: int, followed: Round, subscriber: RoundSubscriber
    ) -> None:
        color = subscriber.color
        if color is None:
            reply.refused(NotAPlayer(), followed.feed.v)
            return
        self._bucket.amount = PLAYER_MESSAGES
        try:
            await followed.submit(await self._command(message, followed.game, color, now), now, reply)
            if isinstance(message, inbound.Move):
                self._services.stats.moves += 1
                self._services.stats.acknowledged.add(self._services.now() - now)
        except Refusal as refusal:
            self._services.stats.refused[refusal.code] += 1
            reply.refused(refusal, followed.feed.v)
            if isinstance(message, inbound.Move) and refusal.code in RESYNC:
                self._resync(followed, subscriber)

    async def _command(self, message: Asking, game: Game, color: Color, now: int) -> Command:
        """The command of the player of `color`, charged to their limits. Raises Refusal."""
        if isinstance(message, inbound.Conditional):
            return await self._prepare_moves(message, game, color, now)
        player = game.player(color)
        assert player is not None
        self._rounds.charge(message, player.id, now)
        for_computer = isinstance(message, inbound.SeatCommand) and message.computer is not None
        return message.command(acting_side(game, color, for_computer=for_computer), self._subscriber.meter.rtt)

    async def _prepare_moves(self, message: inbound.Conditional, game: Game, color: Color, now: int) -> PrepareMoves:
        """Judges conditional moves in slices, while the game goes on.

        So the command says from which position they were judged, and is refused if that has passed. Raises Refusal.
        """
        if not game.terms.control.by_days:
            raise NotAllowed("conditional_not_by_days")
        if message.ply != len(game.plies):
            raise Stale
        player = game.player(color)
        assert player is not None
        self._rounds.charge_preparation(player.id, len(message.steps), now)
        return PrepareMoves(color, game.position, await run_sliced(judge_tree(game.position, message.steps)))

    async def _post_chat(
        self, written: str, reply: CommandReply, now: int, followed: Round, subscriber: RoundSubscriber
    ) -> None:
        speaker = subscriber.player
        if speaker is None:
            reply.refused(NotAPlayer("chat_without_name"), followed.feed.v)
            return
        room: Room = "players" if subscriber.color is not None or subscriber.invited else "watchers"
        try:
            await self._rounds.post_message(followed, speaker, room, written, now, reply)
        except Refusal as refusal:
            reply.refused(refusal, followed.feed.v)

    def _resync(self, followed: Round, subscriber: RoundSubscriber) -> None:
        state = followed.game.id, followed.game.rev
        if self._resynced != state and not self._outbox.closed and self._resyncs.take(self._services.now()):
            self._resynced = state
            self._outbox.put(followed.feed.whole(subscriber))


class FeedConnection(Generic[HiType]):
    """An open connection of a page that only listens to a feed. `player`: None for somebody without a name yet.

    The socket uses it as it does `Connection`.
    """

    __slots__ = ("_bucket", "_feed", "_outbox", "_subscriber", "_timers")

    def __init__(self, feed: Feed[HiType], timers: Timers, player: Player | None, outbox: Outbox, now: int) -> None:
        self._feed = feed
        self._timers = timers
        self._outbox = outbox
        self._subscriber = Subscriber(outbox, player)
        self._bucket = TokenBucket(FEED_MESSAGES, WINDOW_MS)
        timers.set(self, now + HELLO_MS, lambda: outbox.close(HELLO_TIMEOUT))

    def receive(self, text: str, now: int) -> None:
        """Handles a text frame that arrived at `now` (ms). Never waits and never raises."""
        if self._outbox.closed:
            return
        if not self._bucket.take(now):
            self._outbox.close(POLICY)
            return
        try:
            message = read_message(text, self._feed.kinds)
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


def close_if_outdated(outbox: Outbox, proto: int) -> bool:
    """Closes the connection of a page of another release, which speaks protocol `proto`. Was it one?

    An older page is told to reload. A newer one comes from a server that is already updated, unlike this one: it tries
    again until it reaches an updated one.
    """
    if proto == wire.PROTOCOL:
        return False
    if proto > wire.PROTOCOL:
        outbox.close(TRY_LATER)
    else:
        outbox.put(encode(outbound.Reload()))
        outbox.close(BAD_PROTOCOL)
    return True
