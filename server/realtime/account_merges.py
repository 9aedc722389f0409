"""Account merges: when a guest registers or signs in, or an account is deleted, their games change hands.

The store notes each merge until every game has changed, so a crash only delays it. Running games change through their
rounds, so that everybody sees it; finished ones, of which there can be thousands, one by one in the store.
"""

import asyncio
import contextlib
import logging
from collections.abc import Iterable
from typing import Final

from server.games.changes.beginning import RefuseChallenge
from server.games.changes.ending import Abort, Resign
from server.games.changes.reseating import Reseat
from server.games.errors import GameDeleted, OwnChallenge, Refused, Stale
from server.games.game import play
from server.games.player import Player
from server.games.status import Status
from server.realtime.lobby.lobby import Lobby
from server.realtime.play.command_queue import Busy
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.players.player_ratings import count_finished
from server.realtime.play.round import Round
from server.realtime.play.rounds import Rounds
from server.realtime.ties import Ties
from server.storage.errors import Conflict, StoreError, Unreadable
from server.storage.protocols.accounts import AccountMerge, AccountStore

log = logging.getLogger(__name__)

MAX_GAMES: Final = 100_000
TRIES: Final = 5


class AccountMerges:
    """Carries out the merges that the store has noted."""

    def __init__(self, rounds: Rounds, lobby: Lobby, ties: Ties, accounts: AccountStore) -> None:
        self._rounds = rounds
        self._ties = ties
        self._lobby = lobby
        self._accounts = accounts
        self._at_work: set[str] = set()

    async def carry_out_all(self) -> None:
        """Carries out all noted merges, including those from before a crash. Raises Unavailable."""
        for merge in await self._accounts.merges():
            await self._carry_out(merge)

    def start(self, user: str) -> asyncio.Task[None]:
        """Starts the merges of this user. What fails now is left for `carry_out_all`."""
        return self._rounds.services.background.spawn(self._follow(user))

    async def _follow(self, user: str) -> None:
        try:
            for merge in await self._accounts.merges(user):
                await self._carry_out(merge)
        except StoreError as error:
            log.warning("the games of %s will follow later: %s", user, error)

    async def _carry_out(self, merge: AccountMerge) -> None:
        if merge.user in self._at_work:
            return
        self._at_work.add(merge.user)
        try:
            # They would pair somebody with a user who no longer exists.
            await self._lobby.withdraw_all(merge.user)
            games = await self._rounds.services.store.by_player(merge.user, MAX_GAMES)
            if merge.leaves:
                await self._leave_all(merge.user, (game.id for game in games if game.status != Status.OVER))
                await self._hand_over_proposals(merge)
            # Running games first: their opponents are waiting.
            for game in sorted(games, key=lambda game: game.status == Status.OVER):
                await self._hand_over(game.id, merge, over=game.status == Status.OVER)
            await self._hand_over_tallies(merge)
            await self._accounts.end_merge(merge)
        except (Busy, StorageDown, Conflict, Stale) as error:
            log.info("the games of %s will follow later: %s", merge.user, error)
        finally:
            self._at_work.discard(merge.user)

    async def _hand_over_tallies(self, merge: AccountMerge) -> None:
        store = self._rounds.services.store
        ratings = store.ratings
        # Whoever is about to count a game for the former player finds it counted.
        await count_finished(ratings)
        if merge.leaves:
            await self._ties.forget(merge.user)
            await store.reports.forget(merge.user)
            await store.alerts.forget(merge.user)
            await store.push.forget(merge.user)
            await store.addresses.forget(merge.user)
            await store.vacations.forget(merge.user)
            await store.notification_settings.forget(merge.user)
            await store.lessons.forget(merge.user)
            await store.puzzle_tries.forget(merge.user)
            await store.studies.forget(merge.user)
            await store.tokens.forget(merge.user)
            await store.outbox.forget(merge.user)
            await ratings.forget(merge.user)
            return
        await self._ties.hand_over(merge.user, Player(merge.heir, merge.name))
        await store.reports.hand_over(merge.user, Player(merge.heir, merge.name))
        await store.alerts.hand_over(merge.user, merge.heir)
        await store.push.hand_over(merge.user, merge.heir)
        if merge.user != merge.heir:
            await ratings.hand_over(merge.user, merge.heir)

    async def _hand_over(self, game_id: str, merge: AccountMerge, over: bool) -> None:
        command = Reseat(merge.user, Player(merge.heir, merge.name))
        try:
            if over and self._rounds.in_memory(game_id) is None:
                await self._in_store(game_id, command)
            elif (found := await self._rounds.get(game_id)) is not None:
                await found.submit(command, self._rounds.services.now(), patience_ms=0)
        except (OwnChallenge, GameDeleted, Unreadable) as error:
            log.info("game %s stays as it is: %s", game_id, error)

    async def _leave_all(self, user: str, game_ids: Iterable[str]) -> None:
        """Ends the running games of a deleted account. Raises Busy, StorageDown, Unavailable."""
        for game_id in game_ids:
            if (found := await self._readable(game_id)) is not None:
                await self._leave(found, user)
        await self._refuse_challenges(user)
        # While the seats are still theirs: otherwise their last opponents would be rated against a stranger.
        await count_finished(self._rounds.services.store.ratings)

    async def _refuse_challenges(self, user: str) -> None:
        challenges = self._rounds.services.store.challenges
        # The store gives some of them at a time.
        while waiting := await challenges.of(user):
            for game_id in waiting:
                if (found := await self._readable(game_id)) is not None:
                    with contextlib.suppress(Refused):
                        refusal = RefuseChallenge(Player(user, ""))
                        await found.submit(refusal, self._rounds.services.now(), patience_ms=0)
                await challenges.drop(game_id)

    async def _hand_over_proposals(self, merge: AccountMerge) -> None:
        """Those of games between two others that wait for an answer. Raises as `_hand_over` does."""
        store = self._rounds.services.store
        for game_id in await store.challenges.waiting():
            with contextlib.suppress(Unreadable):
                game = await store.load(game_id)
                if game is not None and game.proposer is not None and game.proposer.id == merge.user:
                    await self._hand_over(game_id, merge, over=False)

    async def _readable(self, game_id: str) -> Round | None:
        try:
            return await self._rounds.get(game_id)
        except Unreadable as error:
            log.info("game %s is left as it is: %s", game_id, error)
            return None

    async def _leave(self, found: Round, user: str) -> None:
        color = found.game.color_of(user)
        if color is None:
            return
        try:
            await found.submit(Abort(color), self._rounds.services.now(), patience_ms=0)
        except Refused:
            with contextlib.suppress(Refused):
                await found.submit(Resign(color), self._rounds.services.now(), patience_ms=0)

    async def _in_store(self, game_id: str, command: Reseat) -> None:
        """Changes a finished game in the store. Raises OwnChallenge, Conflict, Unreadable, Unavailable."""
        store = self._rounds.services.store
        for _ in range(TRIES):
            before = await store.load(game_id)
            if before is None:
                return
            after, _events = play(before, command, self._rounds.services.now())
            if after is before:
                return
            with contextlib.suppress(Conflict):
                await store.save(before, after)
                return
        raise Conflict(f"The game {game_id} changes all the time.")
