"""All rounds of this process: made, found, loaded once, let go when nobody needs them. Knows no connections.

A game that is not in memory is in the store; a round is only the place where the present viewers of a game meet. So
a round may be dropped whenever nobody follows it and none of its timers is near.
"""

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from server.games.commands import Expire, Flag, Join
from server.games.errors import GameDeleted, Refused
from server.games.game import Game, new_game
from server.games.player import Player
from server.games.state import Invite
from server.games.terms import Terms
from server.realtime.play.chat_limiter import ChatLimiter
from server.realtime.play.command_queue import Busy
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.player_ratings import player_ratings
from server.realtime.play.round import Round
from server.realtime.play.round_feed import CHAT_LINES
from server.realtime.process.bus import Deleted
from server.realtime.process.domain_events import Challenged
from server.realtime.process.ids import digest, new_id, new_secret
from server.realtime.process.services import Services
from server.realtime.process.single_flight import SingleFlight
from server.realtime.protocol.codec import encode_refusal
from server.refusal import Refusal
from server.rules.variant.pieces import Color
from server.storage.errors import Duplicate, StoreError, Unreadable

log = logging.getLogger(__name__)

IDLE_MS: Final = 30_000
"""A round that nobody follows stays as long, for those who reload the page."""
HORIZON_MS: Final = 90_000
"""A game whose deadline is nearer stays, or comes, into memory, so that an exact timer watches it."""
OVERDUE_MS: Final = 1_000
"""Among several processes each watches the games that are followed there; the others step in only this late."""
DUE_AT_ONCE: Final = 200
ID_TRIES: Final = 5
GONE: Final = 1000
JOIN_PATIENCE_MS: Final = 3_000
"""Who joins waits for a page, and can press the button again."""


class NoSuchGame(Refusal):
    """There is no game with that id."""

    code = "no_game"


@dataclass(frozen=True, slots=True)
class CreatedGame:
    """A new game; `secrets` opens its empty seats, and is kept nowhere else."""

    game: Game
    secrets: Mapping[Color, str]

    @property
    def secret(self) -> str:
        """That of the only empty seat. Raises ValueError if there are two."""
        (secret,) = self.secrets.values()
        return secret


class Rounds:
    """See the module. Iterating gives the rounds in memory."""

    __slots__ = ("_loading", "_rounds", "chat_limiter", "services", "stopping")

    def __init__(self, services: Services) -> None:
        self.services = services
        self.chat_limiter = ChatLimiter()
        self.stopping = False
        """No command is taken any more."""
        self._rounds: dict[str, Round] = {}
        self._loading: SingleFlight[Round | None] = SingleFlight()

    def __iter__(self) -> Iterator[Round]:
        return iter(tuple(self._rounds.values()))

    def __len__(self) -> int:
        return len(self._rounds)

    async def create(
        self, terms: Terms, creator: Player | None, color: Color, asked: Player | None = None
    ) -> CreatedGame:
        """A new game in which `creator` plays `color` and waits for whoever has the other seat's secret.

        Without a creator both seats wait, each with a secret of its own, and `color` means nothing. With `asked` the
        other seat waits for this person alone, and there is no secret.
        Raises BadTerms, InvalidFen, Unavailable when it cannot be stored.
        """
        empty = tuple(Color) if creator is None else (color.other,)
        secrets = {} if asked else {seat: new_secret() for seat in empty}
        waits: dict[Color, Invite] = {seat: asked or digest(secrets[seat]) for seat in empty}
        invites = (waits.get(Color.WHITE), waits.get(Color.BLACK))
        white = creator if color is Color.WHITE else None
        black = creator if color is Color.BLACK else None
        for _ in range(ID_TRIES):
            game = new_game(new_id(), terms, self.services.now(), white, black, invites)
            if asked is not None:
                # First: nobody but they can find this game, and a note without a game harms nobody.
                await self.services.store.challenges.note(game.id, asked.id, game.created)
            try:
                await self.services.store.create(game)
            except Duplicate:
                continue
            except StoreError:
                # It may be there all the same.
                self.services.game_changed(game)
                raise
            self.services.game_changed(game)
            if asked is not None and creator is not None:
                self.services.events.publish(Challenged(game, asked, creator))
            return CreatedGame(game, secrets)
        raise StoreError("no free id was found for a new game")

    async def join(self, game_id: str, secret: str, player: Player) -> Game:
        """Seat `player` in the game that `secret` opens; who was asked by name needs none ("").

        Raises NoSuchGame, Refused (WrongInvitation, SeatTaken, OwnChallenge, GameOver), Busy, StorageDown, Unavailable.
        """
        now = self.services.now()
        found = await self.get(game_id)
        if found is None:
            raise NoSuchGame
        await found.submit(Join(player, digest(secret)), now, patience_ms=JOIN_PATIENCE_MS)
        return found.game

    def in_memory(self, game_id: str) -> Round | None:
        """The round of that id, if it is in memory now."""
        return self._rounds.get(game_id)

    async def get(self, game_id: str) -> Round | None:
        """The round of that id, loaded if necessary, once however many ask. None if there is no such game.

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
            # It was deleted between these answers of the store.
            return None
        loaded = Round(self.services, game, chat, shown, self.forget)
        self._rounds[game_id] = loaded
        return loaded

    def unload_idle(self) -> None:
        """Drop the rounds that nobody follows, if nothing will happen in them soon."""
        now = self.services.now()
        for game_id, one in tuple(self._rounds.items()):
            deadline = one.game.deadline
            near = deadline is not None and deadline < now + HORIZON_MS
            paused = one.game.clock.paused_at is not None and one.game.adjourned is None
            if not (one.busy or near or paused) and now - one.idle_since > IDLE_MS:
                one.stop()
                del self._rounds[game_id]

    def forget(self, deleted: Deleted) -> None:
        """The game is gone from the store: whoever follows it is told, and it is shown nowhere any more."""
        self._loading.forget(deleted.game)
        found = self._rounds.pop(deleted.game, None)
        if found is not None:
            found.stop()
            found.feed.dismiss(encode_refusal(GameDeleted()), GONE)
        self.services.game_deleted(deleted)

    async def check_deadlines(self) -> None:
        """Fetch the games whose deadline is near, so that their timers run; end those whose deadline has passed.

        This finds also what a timer should have done and did not (another process died, a write failed).
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
                await found.submit(Flag() if found.game.clock.turn is not None else Expire(), now, patience_ms=0)
            except (Refused, Busy, StorageDown) as error:
                log.info("game %s: its deadline has passed, but: %s", game_id, error)
