"""Decides a command and makes the decision durable, one at a time for each round.

Nothing counts until the store has acknowledged it. If another process has written the game first, it is reloaded and
the command decided again. If the store cannot write, time stands still for this game from the receipt of the first
command that could not be stored. That command is retried with its original receipt time, and when the store is back the
time in between is given back in the same write. So nobody pays for our disk, and nothing is half done.
"""

import asyncio
import logging
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from server.games.changes.beginning import rematch_of
from server.games.changes.ending import end_game
from server.games.changes.pausing import CreditStall
from server.games.changes.playing import PlayMove
from server.games.command import Command
from server.games.errors import GameDeleted, Refused, Stale
from server.games.events import Event
from server.games.frozen import replace
from server.games.game import play
from server.games.state import Game
from server.games.status import Status
from server.realtime.shared import Services
from server.rules.endings import Outcome
from server.rules.errors import Refusal
from server.rules.notation.fen import shuffled_fen
from server.storage.errors import Conflict, Duplicate, StoreError, Unavailable

log = logging.getLogger(__name__)

SHORT_WAIT_MS: Final = 800
"""After this the sender learns that their command is waiting for the store."""
ATTEMPT_S: Final = 20.0
"""A write that takes longer counts as having an unknown outcome."""
LONGEST_BACKOFF_S: Final = 2.0
"""Every game has retried this soon after the store is back."""
TRIES: Final = 3


class StorageDown(Refusal):
    """Nothing could be stored; the game is unchanged."""

    code = "storage"


@dataclass(frozen=True, slots=True)
class WriteResult:
    """The outcome of `command`. `base`: the stored game it was decided on; `game`: the stored game now.

    `events` lead from `base` to `game`. `rematch` is the game that was made with it. `refused` is why nothing was done,
    if nothing was.
    """

    command: Command
    base: Game
    game: Game
    events: tuple[Event, ...] = ()
    rematch: Game | None = None
    refused: Refused | None = None


class GameWriter:
    """Writes one game. The caller passes one command at a time."""

    __slots__ = ("_services", "_unconfirmed", "_unconfirmed_at", "stalled_since")

    def __init__(self, services: Services) -> None:
        self._services = services
        self._unconfirmed: WriteResult | None = None
        self._unconfirmed_at = 0
        self.stalled_since: int | None = None
        """Since when (ms) time stands still because nothing can be stored; None if it does not."""

    @property
    def waits_for_answer(self) -> bool:
        """Has a write gone out of which it is not known yet whether it was stored?"""
        return self._unconfirmed is not None

    async def write_command(
        self, game: Game, command: Command, now: int, patience_ms: int, waiting: Callable[[], None]
    ) -> WriteResult:
        """Decides `command`, received at `now` (ms), on `game`, and stores the result.

        Calls `waiting` if that takes long. If an earlier command whose answer was lost turns out to be stored, that is
        the result, and `command` has yet to be decided. Raises StorageDown if nothing could be stored for
        `patience_ms`, GameDeleted if the game is gone.
        """
        at = now if self.stalled_since is None else min(now, self.stalled_since)
        pauses = _backoff()
        self._services.timers.set((game.id, "wait"), now + SHORT_WAIT_MS, waiting)
        try:
            while True:
                try:
                    result = await self._attempt(game, command, at)
                except (Unavailable, TimeoutError) as error:
                    log.warning("game %s cannot be stored: %s", game.id, error)
                    self._services.stats.store_errors += 1
                    self.stalled_since = at if self.stalled_since is None else self.stalled_since
                    waiting()
                    pause = next(pauses)
                    if self._services.now() + pause * 1000 > now + patience_ms:
                        raise StorageDown("not_saved") from error
                    await self._services.sleep(pause)
                else:
                    return result
        finally:
            self._services.timers.clear((game.id, "wait"))

    def confirm(self, game: Game, stored: Game) -> WriteResult | None:
        """The write whose answer was lost, if that is what is `stored`; `game`: what was known to be stored before."""
        if stored.rev == game.rev:
            return None
        unconfirmed, self._unconfirmed = self._unconfirmed, None
        if unconfirmed is None or stored != unconfirmed.game:
            # Somebody else has written it, where time did not stand still.
            self.stalled_since = None
            return None
        # After a move, time is counted from when it is shown; after anything else, the same turn was held up since.
        self.stalled_since = None if isinstance(unconfirmed.command, PlayMove) else self._unconfirmed_at
        return unconfirmed

    async def _attempt(self, game: Game, command: Command, at: int) -> WriteResult:
        base = game
        if self._unconfirmed is not None:
            stored = await self._load(game)
            confirmed = self.confirm(game, stored)
            if confirmed is not None:
                return confirmed
            self._unconfirmed = None
            base = game if stored.rev == game.rev else stored.with_time_of(game)
        made: Game | None = None
        for _ in range(TRIES):
            try:
                result = self._decide(base, command, at)
            except Refused as refused:
                if base.status is not Status.LIVE:
                    self.stalled_since = None
                result = WriteResult(command, base, base, refused=refused)
                break
            if result.game is base:
                self.stalled_since = None
                break
            try:
                result = await self._store(result)
                break
            except Conflict:
                # Another process has written it, where time did not stand still.
                made = made or result.rematch
                base = (await self._load(game)).with_time_of(game)
                self.stalled_since = None
        else:
            result = WriteResult(command, base, base, refused=Stale())
        if made is not None and made.id != result.game.next:
            await self._call_off(made)
        return result

    def _decide(self, base: Game, command: Command, at: int) -> WriteResult:
        """The decision, including the time to give back."""
        after, events = play(base, command, at)
        if self.stalled_since is not None and after.status is Status.LIVE:
            now = self._services.now()
            credited, more = play(after, CreditStall(now - at), now)
            if credited is not after:
                after, events = replace(credited, rev=base.rev + 1), (*events, *more)
        return WriteResult(command, base, after, events, _rematch(base, after, at))

    async def _store(self, result: WriteResult) -> WriteResult:
        """Stores a result, and returns it as it is stored.

        Raises Conflict if another writer was first; Unavailable, TimeoutError: unknown outcome.
        """
        self._unconfirmed, self._unconfirmed_at = result, self._services.now()
        async with asyncio.timeout(ATTEMPT_S):
            if result.rematch is not None:
                result = replace(result, rematch=await self._create_rematch(result.rematch))
                self._unconfirmed = result
            try:
                await self._services.store.save(result.base, result.game)
                self._services.stats.stored.add(self._services.now() - self._unconfirmed_at)
            except Conflict:
                self._unconfirmed = None
                raise
        self._unconfirmed = None
        self.stalled_since = None
        return result

    async def _create_rematch(self, rematch: Game) -> Game:
        """Creates the rematch before anybody is sent to it; if an earlier attempt or another process has, returns
        theirs, whose start may be another one.
        """
        try:
            await self._services.store.create(rematch)
        except Duplicate:
            log.info("the rematch %s had been created before", rematch.id)
            return await self._services.store.load(rematch.id) or rematch
        return rematch

    async def _call_off(self, rematch: Game) -> None:
        """Ends a rematch that was created, and then not agreed on: its offer was withdrawn at another process."""
        over, _ = end_game(rematch, Outcome(None, "expired"), self._services.now())
        with suppress(StoreError, TimeoutError):
            async with asyncio.timeout(ATTEMPT_S):
                await self._services.store.save(rematch, replace(over, rev=rematch.rev + 1))

    async def _load(self, game: Game) -> Game:
        async with asyncio.timeout(ATTEMPT_S):
            stored = await self._services.store.load(game.id, game)
        if stored is None:
            raise GameDeleted
        return stored


def _rematch(before: Game, after: Game, now: int) -> Game | None:
    """The rematch that the players have just agreed on, or None."""
    if after.next is None or before.next is not None:
        return None
    terms = after.terms
    fen = shuffled_fen(terms.variant, random.SystemRandom()) if terms.chess960 else None
    return rematch_of(after, after.next, now, start_fen=fen)


def _backoff() -> Iterator[float]:
    """Seconds between attempts: short at first, then longer, and random, so that games do not all retry at once."""
    pause = 0.1
    while True:
        yield pause * random.uniform(0.7, 1.0)
        pause = min(LONGEST_BACKOFF_S, pause * 2)
