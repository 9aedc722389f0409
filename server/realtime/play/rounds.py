"""All rounds of this process: created, loaded once, and unloaded when nobody needs them.

Every game is in the store; a round is only where its current viewers meet. So it can be dropped whenever nobody follows
it and none of its timers is due soon.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from server.games.changes.beginning import Join, RefuseChallenge, challenged_player, new_game, people_of
from server.games.clocks.time_control import with_color
from server.games.errors import GameDeleted, NotAllowed, Refused
from server.games.player import Player, computer_at
from server.games.state import Game, Invite
from server.games.terms import Terms
from server.realtime.play.chat.history import CHAT_LINES
from server.realtime.play.chat.limiter import ChatLimiter
from server.realtime.play.command_queue import Busy
from server.realtime.play.conditional import PreparationLimiter
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.players.flagging_choices import flags_by_hand, with_chosen_flagging
from server.realtime.play.players.player_ratings import player_ratings
from server.realtime.play.round import Round
from server.realtime.play.round_timers import command_at_deadline
from server.realtime.process.bus import Deleted, GameTopic
from server.realtime.process.domain_events import Challenged
from server.realtime.process.ids import digest, new_id, new_secret
from server.realtime.process.limits.person_limiter import PersonLimiter
from server.realtime.process.meeting import are_apart, check_may_meet
from server.realtime.process.services import Services
from server.realtime.process.single_flight import SingleFlight
from server.realtime.protocol.codec import encode_refusal
from server.refusal import Refusal
from server.rules.sliced_work import SlicedWork
from server.rules.variant.pieces import Color
from server.storage.errors import Duplicate, StoreError, Unreadable
from server.storage.time_slices import run_sliced

log = logging.getLogger(__name__)

IDLE_MS: Final = 30_000
"""How long a round that nobody follows is kept, for those who reload the page."""
HORIZON_MS: Final = 90_000
"""A game with a closer deadline is kept in, or loaded into, memory, so that an exact timer watches it."""
OVERDUE_MS: Final = 1_000
"""Each process watches the games followed there; the others step in this late."""
DUE_AT_ONCE: Final = 200
ID_TRIES: Final = 5
GONE: Final = 1000
FLAGGING_CHOICES: Final = 10
"""Each is a write, and an event for everybody who follows the game; nobody needs to change their mind more often."""
FLAGGING_WINDOW_MS: Final = 60_000
JOIN_PATIENCE_MS: Final = 3_000
"""Somebody who joins is waiting for a page, and can press the button again."""


class NoSuchGame(Refusal):
    """There is no game with that id."""

    code = "no_game"


@dataclass(frozen=True, slots=True)
class CreatedGame:
    """A new game. `secrets` open its empty seats and are stored nowhere."""

    game: Game
    secrets: Mapping[Color, str]

    @property
    def secret(self) -> str:
        """The secret of the only empty seat. Raises ValueError if there are two."""
        (secret,) = self.secrets.values()
        return secret


class Rounds:
    """The rounds in memory, which iteration yields."""

    __slots__ = (
        "_loading", "_rounds", "chat_limiter", "flagging_limiter", "preparation_limiter", "services", "stopping",
    )  # fmt: skip

    def __init__(self, services: Services) -> None:
        self.services = services
        self.chat_limiter = ChatLimiter()
        self.flagging_limiter = PersonLimiter(FLAGGING_CHOICES, FLAGGING_WINDOW_MS)
        self.preparation_limiter = PreparationLimiter()
        self.stopping = False
        """No more commands are accepted."""
        self._rounds: dict[str, Round] = {}
        self._loading: SingleFlight[Round | None] = SingleFlight()

    def __iter__(self) -> Iterator[Round]:
        return iter(tuple(self._rounds.values()))

    def __len__(self) -> int:
        return len(self._rounds)

    async def create(
        self, terms: Terms, creator: Player | None, color: Color, asked: Player | None = None, game_id: str = ""
    ) -> CreatedGame:
        """A new game in which `creator` plays `color`, and whoever has the secret may take the other seat.

        Without a creator both seats are empty, each with a secret of its own, and `color` does not matter. With `asked`
        the other seat is for that player only, without a secret. `game_id`: its id, "" for any.

        Raises BadTerms, InvalidFen, NotAllowed, Unavailable; StoreError if there is a game of that id.
        """
        empty = tuple(Color) if creator is None else (color.other,)
        secrets = {} if asked else {seat: new_secret() for seat in empty}
        waits: dict[Color, Invite] = {seat: asked or digest(secrets[seat]) for seat in empty}
        invites = (waits.get(Color.WHITE), waits.get(Color.BLACK))
        white = creator if color is Color.WHITE else None
        black = creator if color is Color.BLACK else None
        make = partial(new_game, terms=terms, now=self.services.now(), white=white, black=black, invites=invites)
        if asked is not None and creator is not None:
            if terms.rated:
                self.services.bots.check_rated(creator.id, asked.id)
            refusal = NotAllowed("takes_no_challenges", name=asked.name)
            await check_may_meet(self.services, creator.id, asked, refusal)
        game = await self._store_new(make, game_id, asked)
        if asked is not None and creator is not None:
            self.services.events.publish(Challenged(game, asked, creator))
        return CreatedGame(game, secrets)

    async def create_against_computer(self, terms: Terms, person: Player, color: Color, level: int) -> Game:
        """A new game in which `person` plays `color` against the computer at `level`.

        Raises BadTerms, InvalidFen, Unavailable; ValueError if there is no such level.
        """
        seats = with_color((person, person), color.other, computer_at(level))
        make = partial(new_game, terms=terms, now=self.services.now(), white=seats[0], black=seats[1])
        return await self._store_new(make, "", None)

    async def take_in(self, game: Game) -> None:
        """Stores a game as it was played where nobody could follow it. Raises Duplicate, Unavailable."""
        await self.services.store.create(game)
        self.services.game_changed(game)

    async def propose(self, terms: Terms, white: Player, black: Player, by: Player, game_id: str = "") -> Game:
        """A new game for two people, who are asked one after the other, `by` a third; `game_id`: its id, "" for any.

        Raises as `create` does, and ValueError if they are one person.
        """
        if terms.rated:
            self.services.bots.check_rated(white.id, black.id)
        if await are_apart(self.services, white.id, black.id):
            raise NotAllowed("not_these_two")
        make = partial(new_game, terms=terms, now=self.services.now(), invites=(white, black), proposer=by)
        game = await self._store_new(make, game_id, white)
        self.services.events.publish(Challenged(game, white, black))
        return game

    async def _store_new(self, make: Callable[[str], Game], game_id: str, asked: Player | None) -> Game:
        """Stores what `make` makes under that id, "" for any. `asked`: who is to answer now."""
        for id in (game_id,) if game_id else (new_id() for _ in range(ID_TRIES)):
            game = await with_chosen_flagging(make(id), self.services.store.accounts)
            if asked is not None:
                # First: without the note they could not find the game, and a note without a game is harmless.
                await self.services.store.challenges.note(game.id, asked.id, game.created)
            try:
                await self.services.store.create(game)
            except Duplicate:
                continue
            except StoreError:
                # It may have been stored all the same.
                self.services.game_changed(game)
                raise
            self.services.game_changed(game)
            return game
        raise StoreError("no free id was found for a new game")

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
