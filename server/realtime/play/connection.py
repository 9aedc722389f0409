"""The connection of a client: its messages become commands of the round it follows, and every command is answered.

Who somebody is was decided before; what they may do follows from their seat. Each command runs in its own task, so that
a game waiting for the store does not delay this client's pings; tasks start in the order of their messages. When the
server stops, commands are not answered: the connection closes and the client sends them again.
"""

import asyncio
import logging
import secrets
from functools import partial
from typing import Final

from server.games.changes.beginning import is_invited
from server.games.command import Command
from server.games.computer import acting_side
from server.games.player import Player
from server.games.state import Game
from server.realtime.play.command_queue import Busy
from server.realtime.play.conditional import prepared
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.post_chat import NotAPlayer, post_chat
from server.realtime.play.round import Round
from server.realtime.play.round_subscribers import RoundSubscriber
from server.realtime.play.rounds import NoSuchGame, Rounds
from server.realtime.process.ids import digest
from server.realtime.process.limits.token_bucket import TokenBucket
from server.realtime.protocol import inbound, outbound
from server.realtime.protocol.codec import BadMessage, decode, encode, encode_refusal
from server.realtime.protocol.command_reply import CommandReply
from server.realtime.protocol.inbound import GameCommand
from server.realtime.protocol.outbox import Outbox
from server.realtime.protocol.protocol_version import TRY_LATER, close_if_outdated
from server.refusal import Refusal
from server.rules.variant.pieces import Color
from server.storage.errors import Unavailable, Unreadable

log = logging.getLogger(__name__)

HELLO_MS: Final = 10_000
WINDOW_MS: Final = 20_000
PLAYER_MESSAGES: Final = 100
WATCHER_MESSAGES: Final = 50
MAX_FAULTS: Final = 10
"""Unreadable or excess messages per window that are answered; the next one closes the connection."""
MAX_UNANSWERED: Final = 16
HELLO_COST: Final = 5
"""A `hi` is answered with the whole game, and a page sends it once."""
RESYNCS: Final = 10
"""Snapshots after refused moves per window; accepted moves do not count."""

HELLO_TIMEOUT: Final = 4408
POLICY: Final = 1008

RESYNC: Final = frozenset({"stale", "not_your_turn", "illegal", "over", "not_started"})
"""Refusals of a move that suggest that the sender's board is wrong: a snapshot follows, once per state of the game."""

Asking = GameCommand | inbound.Conditional
"""What only a player may ask for."""
Subscription = tuple[Round, RoundSubscriber]
"""The round that a connection follows, and its subscription there."""

PONG: Final = encode(outbound.PongOut())


class Connection:
    """An open connection. `player`: None for somebody without a name yet, who can watch.

    The socket calls `receive` for each text frame and `closed` once at the end, and sends what is in the outbox.
    """

    __slots__ = (
        "_bucket", "_closed", "_entering", "_faults", "_goodbye", "_outbox", "_resynced", "_resyncs", "_rounds",
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
        self._goodbye = False
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
                self._goodbye = True
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
        """Reports an internal error: the log has it under a number that the client is told."""
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
        self._services.timers.clear(self)
        if close_if_outdated(self._outbox, message.proto) or not self._affords(HELLO_COST - 1, now):
            return
        self._goodbye = True
        self._leave(now)
        self._goodbye = False
        self._entering = self._services.background.spawn(self._enter(message))

    async def _enter(self, message: inbound.Hi) -> None:
        found = await self._find(message.game)
        self._entering = None
        if found is not None and not self._closed:
            self._subscription = (found, self._subscriber)
            self._subscriber.invited = is_invited(found.game, self.player, digest(message.secret))
            found.subscribe(self._subscriber, message.epoch, message.v, self._services.now())

    async def _find(self, game: str) -> Round | None:
        """The round of that game; None if it cannot be had, which the client is told."""
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
            left.unsubscribe(subscriber, self._goodbye, now)
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
                await post_chat(self._rounds, message.text, reply, now, *subscription)
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
        """The command of the player of `color`, if they may have as much as that. Raises Refusal."""
        if isinstance(message, inbound.Conditional):
            return await prepared(message, game, color, self._rounds.preparation_limiter, now)
        player = game.player(color)
        assert player is not None
        self._rounds.charge(message, player.id, now)
        for_computer = isinstance(message, inbound.SeatCommand) and message.computer is not None
        return message.command(acting_side(game, color, for_computer=for_computer), self._subscriber.meter.rtt)

    def _resync(self, followed: Round, subscriber: RoundSubscriber) -> None:
        state = followed.game.id, followed.game.rev
        if self._resynced != state and not self._outbox.closed and self._resyncs.take(self._services.now()):
            self._resynced = state
            self._outbox.put(followed.feed.whole(subscriber))
