"""All rounds of this process: created, loaded once, and unloaded when nobody needs them.

Every game is in the store; a round is only where its current viewers meet. So it can be dropped whenever nobody follows
it and none of its timers is due soon.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Final
from weakref import WeakValueDictionary

from server.games.changes.beginning import Join, RefuseChallenge, challenged_player, people_of
from server.games.errors import GameDeleted, Gone, NotAllowed, Refused
from server.games.joining import Way
from server.games.news import spoken_to
from server.games.player import Player
from server.games.reminders import Remind
from server.games.state import Game
from server.realtime.cluster.bus import ChatPosted, Deleted, GameTopic, deletion_of
from server.realtime.domain_events import MessageWritten
from server.realtime.play.chat import CHAT_LINES, ChatLimiter, form_of
from server.realtime.play.command_queue import Busy
from server.realtime.play.creation import flags_by_hand
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.player_ratings import player_ratings
from server.realtime.play.round import NO_REPLY, Reply, Round
from server.realtime.play.round_timers import DOUBT_MS, command_at_deadline
from server.realtime.protocol.codec import encode_refusal
from server.realtime.protocol.inbound import GameCommand
from server.realtime.protocol.wire import Room
from server.realtime.runtime.background import SingleFlight, act_on_each
from server.realtime.runtime.ids import digest
from server.realtime.runtime.limits import PersonLimiter
from server.realtime.shared import Services
from server.rules.errors import Refusal
from server.rules.sliced_work import SlicedWork
from server.storage.errors import NotStored, Unavailable, Unreadable
from server.storage.stores import ChatLine
from server.storage.time_slices import run_sliced

log = logging.getLogger(__name__)

IDLE_MS: Final = 30_000
"""How long a round that nobody follows is kept, for those who reload the page."""
HORIZON_MS: Final = 90_000
"""A game with a closer deadline is kept in, or loaded into, memory, so that an exact timer watches it."""
DUE_AT_ONCE: Final = 200
GONE: Final = 1000
MINUTE_MS: Final = 60_000
PREPARED_MOVES: Final = 1_500
"""Conditional moves that one person may have judged in a minute."""
SAVING_COST: Final = 30
"""As how many moves it counts to store them."""
REMIND_EVERY_S: Final = 60.0
OVERDUE_MS: Final = 120_000
"""The process where a game is followed knows whether the player is at the board; the others step in this late."""
REMINDERS_AT_ONCE: Final = 200
JOIN_PATIENCE_MS: Final = 3_000
"""Somebody who joins is waiting for a page, and can press the button again."""


class NoSuchGame(Refusal):
    """There is no game with that id."""

    code = "no_game"


class Rounds:
    """The rounds in memory, which iteration yields."""

    __slots__ = (
        "_command_limiters", "_loading", "_preparation_limiter", "_rounds", "_unloaded", "chat_limiter", "services",
        "stopping",
    )  # fmt: skip

    def __init__(self, services: Services) -> None:
        self.services = services
        self.chat_limiter = ChatLimiter()
        self._command_limiters: dict[type[GameCommand], PersonLimiter] = {}
        self._preparation_limiter = PersonLimiter(PREPARED_MOVES, MINUTE_MS)
        self.stopping = False
        """No more commands are accepted."""
        self._rounds: dict[str, Round] = {}
        self._unloaded: WeakValueDictionary[str, Round] = WeakValueDictionary()
        """Rounds that somebody still holds, who may submit to them: of one game there are never two."""
        self._loading: SingleFlight[Round | None] = SingleFlight()

    def charge(self, message: GameCommand, person: str, now: int) -> None:
        """Counts a command of the person with that id at `now` (ms). Raises Refusal if it is one too many."""
        if message.a_minute is not None:
            kind = type(message)
            limiter = self._command_limiters.setdefault(kind, PersonLimiter(message.a_minute, MINUTE_MS))
            limiter.charge(person, now)

    def charge_preparation(self, person: str, moves: int, now: int) -> None:
        """Counts conditional moves of the person with that id, to be judged at `now` (ms). Raises Refusal if they are
        too many.
        """
        self._preparation_limiter.charge(person, now, moves + SAVING_COST)

    def __iter__(self) -> Iterator[Round]:
        return iter(tuple(self._rounds.values()))

    def __len__(self) -> int:
        return len(self._rounds)

    async def join(self, game_id: str, secret: str, player: Player) -> Game:
        """Gives `player` the seat that `secret` opens; a player challenged by name needs none ("").

        Raises NoSuchGame, Refused (WrongInvitation, SeatTaken, OwnChallenge, GameOver, Gone, NotAllowed), Busy,
        StorageDown, Unavailable.
        """
        now = self.services.now()
        found = await self.get(game_id)
        if found is None:
            raise NoSuchGame
        if any(self.services.sanctions.shut_out(one.id, now) for one in people_of(found.game)):
            raise Gone("opponent_gone")
        if found.game.terms.rated:
            self.services.check_rated(player.id, *(one.id for one in people_of(found.game)))
        by_hand = await flags_by_hand(player, found.game, self.services.store.accounts)
        await found.submit(Join(player, digest(secret), by_hand), now, patience_ms=JOIN_PATIENCE_MS)
        if (asked := challenged_player(found.game)) is not None:
            await self._ask_next(found, asked, now)
        return found.game

    async def _ask_next(self, found: Round, asked: Player, now: int) -> None:
        """Notes that the game waits for `asked` now, the second of two people. If they have deleted their account since
        it was proposed, the challenge is declined in their name.
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
        held = self._unloaded.get(game_id)
        if held is not None:
            return await self._take_back(held)
        game = await self.services.store.load(game_id)
        if game is None:
            return None
        chat = await self.services.store.chat(game_id, CHAT_LINES)
        shown = await player_ratings(self.services.store.ratings, game, self.services.now())
        if not self._loading.is_current(game_id):
            # It was deleted while it was loaded.
            return None
        loaded = Round(self.services, game, chat, shown, self.forget)
        self._use(loaded)
        return loaded

    async def _take_back(self, held: Round) -> Round | None:
        """The unloaded round, refreshed and in use again; None if it has been deleted. Raises Unavailable."""
        # If it is busy, the command that runs reads what is stored by itself.
        with suppress(Busy):
            await held.refresh()
        found = self._unloaded.pop(held.game.id, None)
        if found is not None:
            self._use(found)
            found.restart_timers()
        return found

    def _use(self, one: Round) -> None:
        self._rounds[one.game.id] = one
        self.services.bus.follow(GameTopic(one.game.id))

    async def post_message(
        self, followed: Round, speaker: Player, room: Room, written: str, now: int, reply: Reply = NO_REPLY
    ) -> None:
        """Posts what `speaker` wrote, which arrived at `now` (ms). Raises ChatRejected, NotAllowed
        (the host lets them not write, or no guests, or nobody), GameDeleted, StorageDown."""
        services = self.services
        services.house.check_chat()
        services.sanctions.check_speech(speaker.id, followed.game.id, now)
        if room == "watchers" and not services.guests.may(speaker, Way.LOBBY):
            raise NotAllowed("chat_without_name")
        form = form_of(followed.game.terms.control, room)
        text = self.chat_limiter.accept(speaker.id, followed.game.id, written, now, form)
        try:
            services.sanctions.check_text(text)
        except NotAllowed:
            self.chat_limiter.take_back(speaker.id)
            raise
        line = ChatLine(followed.game.id, room, speaker.id, speaker.name, text, followed.feed.chat.next_at(now))
        reader = spoken_to(followed.game, speaker.id)
        try:
            await services.store.add_chat(line, untold=reader is not None)
        except NotStored:
            # The sender gets the answer before the connection is closed.
            asyncio.get_running_loop().call_soon(self.forget, deletion_of(followed.game))
            raise GameDeleted from None
        except Unavailable as error:
            self.chat_limiter.take_back(speaker.id)
            raise StorageDown("chat_not_saved") from error
        # A notice may have made us read it from the store just now.
        reply.done(followed.feed.v + (not followed.feed.chat.knows(line)), False)
        followed.feed.show_chat(line)
        services.bus.tell(ChatPosted(line.game))
        if reader is not None:
            away = followed.game.color_of(reader.id) not in followed.presence.here
            services.events.publish(MessageWritten(followed.game, reader, speaker.id, line.at, away))

    async def do_in_each(self, act: Callable[[Round], None]) -> None:
        """Calls `act` with each round, in slices: thousands of rounds at once would hold up a move.

        One for which it fails keeps it from no other.
        """

        def acting() -> SlicedWork[None]:
            for one in self:
                if self.in_memory(one.game.id) is one:
                    try:
                        act(one)
                    except Exception:
                        log.exception("regular work for game %s failed", one.game.id)
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
            self._unloaded[one.game.id] = self._rounds.pop(one.game.id)
            self.services.bus.unfollow(GameTopic(one.game.id))

    def forget(self, deleted: Deleted) -> None:
        """Drops a deleted game: dismisses its viewers, and removes it from all lists."""
        self._loading.forget(deleted.game)
        found = self._rounds.pop(deleted.game, None) or self._unloaded.pop(deleted.game, None)
        if found is not None:
            self.services.bus.unfollow(GameTopic(deleted.game))
            found.stop()
            found.feed.dismiss(encode_refusal(GameDeleted()), GONE)
        self.services.remove_game(deleted)

    async def check_deadlines(self) -> None:
        """Loads games whose deadline is near, so that their timers run, and ends those whose deadline has passed.

        This also catches what a timer failed to do, because another process died or a write failed. Each process
        watches the games followed there; the others step in when there can be no doubt left about the time.
        """
        now = self.services.now()
        before = now + HORIZON_MS if self.services.bus.alone else now - DOUBT_MS
        due = await self.services.store.due(before, DUE_AT_ONCE)
        await act_on_each(due, partial(self._check_deadline, now), "game {}".format)

    async def _check_deadline(self, now: int, game_id: str) -> None:
        try:
            found = await self.get(game_id)
        except Unreadable:
            return
        if found is None or (deadline := found.game.deadline) is None or deadline > now:
            return
        try:
            await found.submit(command_at_deadline(found.game), now, patience_ms=0)
        except (Refused, Busy, StorageDown) as error:
            log.info("game %s: its deadline has passed, but: %s", game_id, error)

    async def remind_players(self) -> None:
        """Has the rounds of correspondence games in which a reminder is due note and publish it, at most
        REMINDERS_AT_ONCE; the others wait for the next look.

        One indexed look-up finds them, however many games are idle. The note is a change of the game like any other: of
        several processes one stores it, and that one publishes; a move that was stored first leaves nothing to remind
        of. If a process dies in between, the event is lost, not repeated; the teller finds the mark that the note left.
        Raises Unavailable.
        """
        services = self.services
        now = services.now()
        due = await services.store.to_remind(now, REMINDERS_AT_ONCE)
        if not services.bus.alone:
            followed = [game_id for game_id in due if self.in_memory(game_id) is not None]
            due = (*followed, *await services.store.to_remind(now - OVERDUE_MS, REMINDERS_AT_ONCE))
        await act_on_each(dict.fromkeys(due), self._remind, "game {}".format)

    async def _remind(self, game_id: str) -> None:
        try:
            found = await self.get(game_id)
            if found is not None:
                await found.submit(Remind(), self.services.now(), patience_ms=0)
        except Unreadable:
            # It has been logged, and counted as damaged.
            return
        except (Refused, Busy, StorageDown) as error:
            log.info("game %s: the player to move was not reminded: %s", game_id, error)
