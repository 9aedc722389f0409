"""Account merges: when a guest registers or signs in, or an account is deleted, their games change hands.

The store notes each merge until every game has changed, so a crash only delays it. Running games change through their
rounds, so that everybody sees it; finished ones, of which there can be thousands, one by one in the store. A game that
cannot be read now, as when a variant's file is missing, changes when it can: until then the merge stays noted.

A request that another node let in before an account was deleted may write after the account's records are forgotten. So
the merge of a deleted account stays noted for a minute, and is carried out once more before it ends.
"""

import asyncio
import contextlib
import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from server.games.changes.beginning import RefuseChallenge, Reseat
from server.games.changes.ending import Abort, Resign
from server.games.errors import GameDeleted, OwnChallenge, Refused, Stale
from server.games.game import play
from server.games.player import Player
from server.games.status import Status
from server.realtime.lobby import Lobby
from server.realtime.play.command_queue import Busy
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.player_ratings import count_finished
from server.realtime.play.round import Round
from server.realtime.play.rounds import Rounds
from server.realtime.runtime.background import act_on_each
from server.realtime.services.desk import drop_role_of_deleted
from server.realtime.services.sanctions import keep_out_deleted
from server.realtime.services.ties import Ties
from server.realtime.studies import StudyPages
from server.storage.errors import Conflict, StoreError, Unreadable
from server.storage.tables.accounts import AccountMerge, AccountStore

log = logging.getLogger(__name__)

MAX_GAMES: Final = 100_000
TRIES: Final = 5
SETTLES_MS: Final = 60_000
"""How long a request that another node let in before an account was deleted may still write: longer than any takes."""


@dataclass(slots=True)
class Progress:
    """How far this process has come with a merge that is still noted.

    `seen`: when it first saw the merge (ms). `changed`: the games that have changed hands, so that they are not read
    each time. `complete`: whether everything has, at least once.
    """

    seen: int
    changed: set[str] = field(default_factory=set)
    complete: bool = False


class AccountMerges:
    """Carries out the merges that the store has noted."""

    def __init__(self, rounds: Rounds, lobby: Lobby, ties: Ties, studies: StudyPages, accounts: AccountStore) -> None:
        self._rounds = rounds
        self._ties = ties
        self._studies = studies
        self._lobby = lobby
        self._accounts = accounts
        self._at_work: set[str] = set()
        self._progress: dict[AccountMerge, Progress] = {}

    async def carry_out_all(self) -> None:
        """Carries out all noted merges, including those from before a crash. Raises Unavailable."""
        noted = await self._accounts.merges()
        self._progress = {merge: progress for merge, progress in self._progress.items() if merge in noted}
        await act_on_each(noted, self._carry_out, lambda merge: f"the games of {merge.user}")

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
        now = self._rounds.services.now()
        progress = self._progress.setdefault(merge, Progress(seen=now))
        settled = not merge.leaves or now - progress.seen >= SETTLES_MS
        if progress.complete and not settled:
            return
        self._at_work.add(merge.user)
        try:
            progress.complete = await self._change_all(merge, progress.changed)
            if progress.complete and settled and not await self._is_heir(merge.user):
                await self._accounts.end_merge(merge)
        except (Busy, StorageDown, Conflict, Stale) as error:
            log.info("the games of %s will follow later: %s", merge.user, error)
        finally:
            self._at_work.discard(merge.user)

    async def _change_all(self, merge: AccountMerge, changed: set[str]) -> bool:
        """Changes all that a merge is about, except the games `changed`, to which it adds; False if a game could not be
        read. Raises Busy, StorageDown, Conflict, Stale, Unavailable.
        """
        # They would pair somebody with a user who no longer exists. Those under the new name were made since.
        await self._lobby.withdraw_seeks_of(merge.user, but_as=merge.name if merge.user == merge.heir else "")
        games = await self._rounds.services.store.by_player(merge.user, MAX_GAMES)
        unread: set[str] = set()
        if merge.leaves:
            await self._leave_all(merge.user, (game.id for game in games if game.status != Status.OVER), unread)
            await self._hand_over_proposals(merge, unread)
        # Running games first: their opponents are waiting.
        for game in sorted(games, key=lambda game: game.status == Status.OVER):
            if game.id not in changed:
                await self._hand_over(game.id, merge, unread, over=game.status == Status.OVER)
            if game.id not in unread:
                changed.add(game.id)
        await self._hand_over_tallies(merge)
        return not unread

    async def _is_heir(self, user: str) -> bool:
        """Will games of somebody else yet come to this user?"""
        return any(one.heir == user != one.user for one in await self._accounts.merges())

    async def _hand_over_tallies(self, merge: AccountMerge) -> None:
        store = self._rounds.services.store
        ratings = store.ratings
        # A process that is about to count a game for the former player finds it counted.
        await count_finished(ratings)
        if merge.leaves:
            # Where a sign-in is several writes, one that began before the deletion may have opened a session since.
            await self._accounts.end_sessions(merge.user)
            await keep_out_deleted(store, merge.user, self._rounds.services.now())
            await self._ties.forget_person(merge.user)
            await store.reports.forget(merge.user)
            await drop_role_of_deleted(store.desk, merge.user, self._rounds.services.now())
            await store.notification_settings.forget(merge.user)
            theirs = [
                *(study.id for study in await store.studies.studies_of(merge.user)),
                *(study.id for study, _ in await store.studies.memberships_of(merge.user)),
            ]
            await store.forget_owned(merge.user)
            for study in theirs:
                self._studies.tell_study(study)
            await ratings.forget(merge.user)
            return
        await self._ties.hand_over_ties(merge.user, Player(merge.heir, merge.name))
        await store.reports.hand_over(merge.user, Player(merge.heir, merge.name))
        await store.sanctions.hand_over(merge.user, Player(merge.heir, merge.name))
        await store.alerts.hand_over(merge.user, merge.heir)
        await store.push.hand_over(merge.user, merge.heir)
        await store.notes.hand_over(merge.user, merge.heir)
        if merge.user != merge.heir:
            await ratings.hand_over(merge.user, merge.heir)

    async def _hand_over(self, game_id: str, merge: AccountMerge, unread: set[str], *, over: bool) -> None:
        """Notes among `unread` a game that cannot be read. Raises Busy, StorageDown, Conflict, Stale, Unavailable."""
        command = Reseat(merge.user, Player(merge.heir, merge.name))
        try:
            if over and self._rounds.in_memory(game_id) is None:
                await self._in_store(game_id, command)
            elif (found := await self._rounds.get(game_id)) is not None:
                await found.submit(command, self._rounds.services.now(), patience_ms=0)
        except Unreadable as error:
            unread.add(game_id)
            log.info("game %s stays as it is for now: %s", game_id, error)
        except (OwnChallenge, GameDeleted) as error:
            log.info("game %s stays as it is: %s", game_id, error)

    async def _leave_all(self, user: str, game_ids: Iterable[str], unread: set[str]) -> None:
        """Ends the running games of a deleted account, and notes among `unread` those that cannot be read. Raises Busy,
        StorageDown, Unavailable.
        """
        for game_id in game_ids:
            if (found := await self._readable(game_id, unread)) is not None:
                await self._leave(found, user)
        await self._refuse_challenges(user, unread)
        # While the seats are still theirs: otherwise their last opponents would be rated against a stranger.
        await count_finished(self._rounds.services.store.ratings)

    async def _refuse_challenges(self, user: str, unread: set[str]) -> None:
        challenges = self._rounds.services.store.challenges
        # The store gives some of them at a time.
        while waiting := [one for one in await challenges.of(user) if one not in unread]:
            for game_id in waiting:
                if (found := await self._readable(game_id, unread)) is not None:
                    with contextlib.suppress(Refused):
                        refusal = RefuseChallenge(Player(user, ""))
                        await found.submit(refusal, self._rounds.services.now(), patience_ms=0)
                if game_id not in unread:
                    await challenges.drop(game_id)

    async def _hand_over_proposals(self, merge: AccountMerge, unread: set[str]) -> None:
        """Those of games between two others that wait for an answer. Raises as `_hand_over` does."""
        store = self._rounds.services.store
        for game_id in await store.challenges.waiting():
            try:
                game = await store.load(game_id)
            except Unreadable:
                unread.add(game_id)
                continue
            if game is not None and game.proposer is not None and game.proposer.id == merge.user:
                await self._hand_over(game_id, merge, unread, over=False)

    async def _readable(self, game_id: str, unread: set[str]) -> Round | None:
        try:
            return await self._rounds.get(game_id)
        except Unreadable as error:
            unread.add(game_id)
            log.info("game %s is left as it is for now: %s", game_id, error)
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
