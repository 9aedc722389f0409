"""What is done so that nobody pays for the server's absence: it leaves marks of life, and reads them when it starts.

A game whose clock ran when the last server died is paused as of that server's last mark, before anybody can come in;
it goes on when its players are back (round_timers.py). A running server that stood still for a moment gives that moment
back: all of it if the machine had stopped the process, which no player can do; if the process was busy, only within
the limit of the game's clock, as a player could keep it busy on their own turns.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from typing import Final

from server.games.clock import ClockKind
from server.games.commands import Command, CreditStall, Pause
from server.games.errors import Refused
from server.games.game import Game
from server.games.status import Status
from server.realtime.play.command_queue import Busy
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.rounds import Rounds
from server.storage.errors import StoreError, Unreadable

log = logging.getLogger(__name__)

MARK_EVERY_S: Final = 1.0
LOOKS: Final = 10
"""How often a process that starts looks for others' marks, while each that lives leaves two."""
LONG_MS: Final = 300_000
"""A deadline of days is moved only for an absence longer than this."""
BEAT_S: Final = 0.1
STALL_MS: Final = 250
"""What is given back; a shorter stall is less than a player sees, and every change of the clocks is told to all."""
STOPPED: Final = 0.1
"""A process that was given less of a stall than this share of one processor was stopped from outside, not busy."""
NOTED_MS: Final = 100
"""What is written down: on the way to a stall that players see."""
AT_ONCE: Final = 50


def remedy(game: Game, last_alive: int, now: int) -> Command | None:
    """What `game` needs after the server was away from `last_alive` to `now` (ms); None: nothing."""
    if game.status is not Status.LIVE or game.clock.paused_at is not None:
        return None
    running = game.clock.turn is not None
    match game.terms.control.kind:
        case ClockKind.REALTIME:
            return Pause(last_alive) if running or game.both_met else None
        case ClockKind.CORRESPONDENCE:
            return CreditStall(now - last_alive) if running and now - last_alive > LONG_MS else None
        case ClockKind.UNLIMITED:
            return None


class Downtime:
    """Marks of life of one process, and what follows from them."""

    __slots__ = ("_beat_at", "_name", "_rounds", "_worked", "_worked_at")

    def __init__(self, rounds: Rounds, worked: Callable[[], float] = time.process_time) -> None:
        """`worked` gives the seconds of processor time that this process has used."""
        self._rounds = rounds
        self._name = secrets.token_hex(4)
        self._beat_at = 0
        self._worked = worked
        self._worked_at = 0.0

    async def mark(self) -> None:
        """Note that this process runs. Raises Unavailable."""
        await self._rounds.services.store.mark_alive(self._name, self._rounds.services.now())

    async def recover(self) -> None:
        """Give every running game what `remedy` says. Call it before anybody is let in. Raises Unavailable."""
        services = self._rounds.services
        games, last = await services.store.running(), await services.store.last_alive()
        if not games or last is None or await self._others_live(last):
            return
        now = services.now()
        limit = asyncio.Semaphore(AT_ONCE)

        async def recover_one(game_id: str) -> None:
            async with limit:
                await self._recover(game_id, min(last, now), now)

        await asyncio.gather(*(recover_one(game_id) for game_id in games))

    async def _others_live(self, last: int) -> bool:
        """Does another process leave marks? Then nobody was away."""
        if self._rounds.services.bus.alone:
            return False
        for _ in range(LOOKS):
            await self._rounds.services.sleep(2 * MARK_EVERY_S / LOOKS)
            if await self._rounds.services.store.last_alive() != last:
                return True
        return False

    async def _recover(self, game_id: str, last: int, now: int) -> None:
        try:
            game = await self._rounds.services.store.load(game_id)
            if game is None:
                return
            command = remedy(game, last, now)
            # A game that an earlier crash has paused needs no command, but a round that lets it go on in time. One that
            # the players have adjourned waits for them.
            if command is None and (game.clock.paused_at is None or game.adjourned is not None):
                return
            found = await self._rounds.get(game_id)
            if found is not None and command is not None:
                await found.submit(command, now)
        except Unreadable as error:
            log.warning("game %s is not given its time back: %s", game_id, error)
        except (Refused, Busy, StorageDown, StoreError):
            log.exception("game %s could not be given its time back", game_id)

    def watch_for_stalls(self) -> None:
        """Notice from now on when the event loop stands still, and give that time back.

        A plain timer of the loop: it must run before the commands that piled up meanwhile are decided.
        """
        self._watch_from(self._rounds.services.now())

    def _watch_from(self, now: int) -> None:
        self._beat_at = now
        self._worked_at = self._worked()
        asyncio.get_running_loop().call_later(BEAT_S, self._beat)

    def _beat(self) -> None:
        now = self._rounds.services.now()
        late = now - self._beat_at - int(BEAT_S * 1000)
        if late > NOTED_MS:
            log.warning("the server stood still for %d ms", late)
            stats = self._rounds.services.stats
            stats.stalls += 1
            stats.longest_stall_ms = max(stats.longest_stall_ms, late)
        if late > STALL_MS:
            busy = (self._worked() - self._worked_at) * 1000 > STOPPED * late
            for one in self._rounds:
                one.stood_still(late, busy=busy)
        if not self._rounds.stopping:
            # From when this began: giving back takes time too, and may itself be stopped in the middle.
            self._watch_from(now)
