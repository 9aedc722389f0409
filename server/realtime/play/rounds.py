"""All rounds of this process: created, loaded once, and unloaded when nobody needs them.

Every game is in the store; a round is only where its current viewers meet. So it can be dropped whenever nobody follows
it and none of its timers is due soon.
"""

import logging
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from server.games.changes.beginning import Join, RefuseChallenge, challenged_player, people_of
from server.games.errors import GameDeleted, Refused
from server.games.player import Player
from server.games.state import Game
from server.realtime.play.chat.history import CHAT_LINES
from server.realtime.play.chat.limiter import ChatLimiter
from server.realtime.play.command_queue import Busy
from server.realtime.play.conditional import PreparationLimiter
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.players.flagging_choices import flags_by_hand
from server.realtime.play.players.player_ratings import player_ratings
from server.realtime.play.round import Round
from server.realtime.play.round_timers import command_at_deadline
from server.realtime.process.bus import Deleted, GameTopic
from server.realtime.process.ids import digest
from server.realtime.process.limits.person_limiter import PersonLimiter
from server.realtime.process.services import Services
from server.realtime.process.single_flight import SingleFlight
from server.realtime.protocol.codec import encode_refusal
from server.realtime.protocol.inbound import GameCommand
from server.refusal import Refusal
from server.rules.sliced_work import SlicedWork
from server.storage.errors import Unreadable
from server.storage.time_slices import run_sliced

log = logging.getLogger(__name__)

IDLE_MS: Final = 30_000
"""How long a round that nobody follows is kept, for those who reload the page."""
HORIZON_MS: Final = 90_000
"""A game with a closer deadline is kept in, or loaded into, memory, so that an exact timer watches it."""
OVERDUE_MS: Final = 1_000
"""Each process watches the games followed there; the others step in this late."""
DUE_AT_ONCE: Final = 200
GONE: Final = 1000
MINUTE_MS: Final = 60_000
JOIN_PATIENCE_MS: Final = 3_000
"""Somebody who joins is waiting for a page, and can press the button again."""


class NoSuchGame(Refusal):
    """There is no game with that id."""

    code = "no_game"


class Rounds:
    """The rounds in memory, which iteration yields."""

    __slots__ = (
        "_command_limiters", "_loading", "_rounds", "chat_limiter", "preparation_limiter", "services", "stopping",
    )  # fmt: skip

    def __init__(self, services: Services) -> None:
        self.services = services
        self.chat_limiter = ChatLimiter()
        self._command_limiters: dict[type[GameCommand], PersonLimiter] = {}
        self.preparation_limiter = PreparationLimiter()
        self.stopping = False
        """No more commands are accepted."""
        self._rounds: dict[str, Round] = {}
        self._loading: SingleFlight[Round | None] = SingleFlight()

    def charge(self, message: GameCommand, person: str, now: int) -> None:
        """Counts a command of the person with that id at `now` (ms). Raises Refusal if it is one too many."""
        if message.a_minute is not None:
            kind = type(message)
            limiter = self._command_limiters.setdefault(kind, PersonLimiter(message.a_minute, MINUTE_MS))
            limiter.charge(person, now)

    def __iter__(self) -> Iterator[Round]:
        return iter(tuple(self._rounds.values()))

    def __len__(self) -> int:
        return len(self._rounds)

    async def join(self, game_id: str, secret: str, player: Player) -> Game:
        """Gives `player` the seat that `secret` opens; a player challenged by name needs none ("").

        Raises NoSuchGame, Refused (WrongInvitation, SeatTaken, OwnChallenge, GameOver, NotAllowed), Busy, StorageDown,
        Unavailable.
        """
        now = self.services.now()
        found = await self.get(game_id)
        if found is None:
            raise NoSuchGame
        if found.game.terms.rated:
            self.services.bots.check_rated(player.id, *(one.id for one in people_of(found.game)))
        by_hand = await flags_by_hand(player, found.game, self.services.store.accounts)
        await found.submit(Join(player, digest(secret), by_hand), now, patience_ms=JOIN_PATIENCE_MS)
        if (asked := challenged_player(found.game)) is not None:
            await self._ask_next(found, asked, now)
        return found.game

    async def _ask_next(self, found: Round, asked: Player, now: int) -> None:
        """Notes that the game waits for `asked` now, the second of two. If they have deleted their account since it was
        proposed, that is as if they declined.
        """
        account = await self.services.store.accounts.find(asked.name)
        if account is None or account.user != asked.id:
            await found.submit(RefuseChallenge(asked), now, patience_ms=JOIN_PATIENCE_MS)
        else:
            await self.services.store.challenges.pass_on(found.game.id, asked.id, now)

    def in_memory(self, game_id: str) -> Round | None:
        """The round with that id, if it is in memory."""
        return self._rounds.get(game_id)

    async def get(self, game_id: str) -> Round | None:
        """The round with that id, loaded if necessary (once, however many ask); None if there is no such game.

        Raises Unreadable, Unavailable.
        """
        found = self._rounds.get(game_id)
        if found is not None:
            return found
        return await self._loading.do(game_id, partial(self._load, game_id))

    async def _load(self, game_id: str) -> Round | None:
        game = await self.services.store.load(game_id)
        if game is None:
            return None
        chat = await self.services.store.chat(game_id, CHAT_LINES)
        shown = await player_ratings(self.services.store.ratings, game, self.services.now())
        if not self._loading.is_current(game_id):
            # It was deleted while it was loaded.
            return None
        loaded = Round(self.services, game, chat, shown, self.forget)
        self._rounds[game_id] = loaded
        self.services.bus.follow(GameTopic(game_id))
        return loaded

    async def do_in_each(self, act: Callable[[Round], None]) -> None:
        """Calls `act` with each round, in slices: thousands of rounds at once would hold up a move."""

        def acting() -> SlicedWork[None]:
            for one in self:
                if self.in_memory(one.game.id) is one:
                    act(one)
                yield

        await run_sliced(acting())

    async def is_at_board(self, game_id: str, person: str) -> bool:
        """Does this person (an id) play the game, and sit at its board, on whatever process? Raises Unavailable."""
        if game_id not in self._rounds and not self.services.boards_elsewhere.here(game_id, self.services.now()):
            return False
        try:
            found = await self.get(game_id)
        except Unreadable:
            return False
        return found is not None and found.game.color_of(person) in found.presence.here

    async def unload_idle(self) -> None:
        """Unloads rounds that nobody follows and in which nothing is due soon."""
        await self.do_in_each(self._unload_if_idle)

    def _unload_if_idle(self, one: Round) -> None:
        now, deadline = self.services.now(), one.game.deadline
        near = deadline is not None and deadline < now + HORIZON_MS
        paused = one.game.clock.paused_at is not None and not one.game.waits_for_players
        if not (one.busy or near or paused) and now - one.idle_since > IDLE_MS:
            one.stop()
            del self._rounds[one.game.id]
            self.services.bus.unfollow(GameTopic(one.game.id))

    def forget(self, deleted: Deleted) -> None:
        """Drops a deleted game, tells whoever follows it, and has it shown nowhere any more."""
        self._loading.forget(deleted.game)
        found = self._rounds.pop(deleted.game, None)
        if found is not None:
            self.services.bus.unfollow(GameTopic(deleted.game))
            found.stop()
            found.feed.dismiss(encode_refusal(GameDeleted()), GONE)
        self.services.game_deleted(deleted)

    async def check_deadlines(self) -> None:
        """Loads games whose deadline is near, so that their timers run, and ends those whose deadline has passed.

        This also catches what a timer failed to do, because another process died or a write failed.
        """
        now = self.services.now()
        before = now + HORIZON_MS if self.services.bus.alone else now - OVERDUE_MS
        for game_id in await self.services.store.due(before, DUE_AT_ONCE):
            try:
                found = await self.get(game_id)
            except Unreadable:
                continue
            if found is None or (deadline := found.game.deadline) is None or deadline > now:
                continue
            try:
                await found.submit(command_at_deadline(found.game), now, patience_ms=0)
            except (Refused, Busy, StorageDown) as error:
                log.info("game %s: its deadline has passed, but: %s", game_id, error)
