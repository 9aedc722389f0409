"""Gives players back the time in which this process was down, or stalled.

*Down.* Each process stores heartbeats, so that the next one knows how long there was none. It calls `recover` at its
start, before it accepts connections: a game whose clock was running is paused as of the last heartbeat, and resumes
when its players are back (`play.round_timers`). A correspondence game gets the time back if it was long. Heartbeats are
also told on the bus, so that the others know that they hear this process.

*Stalled.* All of the time is given back if the machine had stopped the process, which no player can cause. If the
process was overloaded, only within the limit of the game's clock, as a player could overload it on their own turns.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from server.games.changes.pausing import CreditStall, Pause
from server.games.clocks.time_control import ClockKind
from server.games.command import Command
from server.games.errors import Refused
from server.games.state import Game
from server.games.status import Status
from server.realtime.cluster.bus import Beat
from server.realtime.play.command_queue import Busy
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.rounds import Rounds
from server.realtime.shared import Services
from server.storage.errors import StoreError, Unreadable

log = logging.getLogger(__name__)

LONG_MS: Final = 300_000
"""Correspondence deadlines are moved only for longer absences."""
AT_ONCE: Final = 50
BEAT_EVERY_S: Final = 1.0
CUT_OFF_MS: Final = 10_000
"""Without the store and the bus for so long a process serves nobody: a little sooner than others think so, who then let
its players' absence be claimed.
"""
LOOKS: Final = 10
"""How often a starting process looks for heartbeats, while every other one stores two."""
BEAT_S: Final = 0.1
STALL_MS: Final = 250
"""Stalls from this length on are given back: shorter ones go unnoticed, and every change is sent to all."""
STOPPED: Final = 0.1
"""A process that got less than this share of a processor during a stall was stopped, not busy."""
NOTED_MS: Final = 100
"""Stalls from this length on are counted, and logged for those who look for them."""
WARNED_MS: Final = 500
"""Stalls from this length on are worth a warning: shorter ones are common on a small machine that others share."""


class Heartbeat:
    """The heartbeat of one process."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._lost_at: int | None = None
        """Since when (ms) no heartbeat could be stored."""
        self._stored = services.now()
        """The newest heartbeat that the store has (ms)."""

    @property
    def cut_off(self) -> bool:
        """Does this process reach neither the store nor the bus, so that others, if there are any, believe it dead?"""
        now, hearing = self._services.now(), self._services.hearing
        if self._services.bus.alone or now < self._stored + CUT_OFF_MS:
            return False
        return hearing.since(hearing.node, now) is None

    async def beat(self) -> None:
        """Stores a heartbeat. Logs when the store is lost, and when it is found again. Raises Unavailable."""
        now = self._services.now()
        try:
            await self._services.store.mark_alive(self._services.hearing.node, now)
        except (StoreError, TimeoutError) as error:
            self._services.hearing.store_missed_at = self._services.now()
            if self._lost_at is None:
                self._lost_at = self._services.now()
                log.warning("the store is lost: %s", str(error) or "it takes too long")
            raise
        self._stored = now
        if self._lost_at is not None:
            log.warning("the store is found again after %d ms", self._services.now() - self._lost_at)
            self._lost_at = None

    async def tell_nodes(self) -> None:
        """Tells one on the bus, even while none can be stored."""
        self._services.bus.tell(Beat(self._services.hearing.node))

    async def others_are_alive(self, last: int) -> bool:
        """Does another process store heartbeats newer than `last` (ms)? Waits for two. Raises Unavailable."""
        if self._services.bus.alone:
            return False
        for _ in range(LOOKS):
            await self._services.sleep(2 * BEAT_EVERY_S / LOOKS)
            if await self._services.store.last_alive() != last:
                return True
        return False


def recovery_command(game: Game, last_alive: int, now: int) -> Command | None:
    """The command that `game` needs after a downtime from `last_alive` to `now` (ms); None: none."""
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


async def recover(rounds: Rounds, heartbeat: Heartbeat) -> None:
    """Sends each running game its `recovery_command`, unless another process was running. Raises Unavailable."""
    services = rounds.services
    games, last = await services.store.running(), await services.store.last_alive()
    if not games or last is None or await heartbeat.others_are_alive(last):
        return
    now = services.now()
    limit = asyncio.Semaphore(AT_ONCE)

    async def recover_one(game_id: str) -> None:
        async with limit:
            await _recover(rounds, game_id, min(last, now), now)

    await asyncio.gather(*(recover_one(game_id) for game_id in games))


async def _recover(rounds: Rounds, game_id: str, last: int, now: int) -> None:
    try:
        game = await rounds.services.store.load(game_id)
        if game is None:
            return
        command = recovery_command(game, last, now)
        # A game paused by an earlier crash needs no command, but a round that resumes it in time. One that
        # the players have adjourned, or in which one of them is on vacation, waits for them.
        if command is None and (game.clock.paused_at is None or game.waits_for_players):
            return
        found = await rounds.get(game_id)
        if found is not None and command is not None:
            await found.submit(command, now)
    except Unreadable as error:
        log.warning("game %s is not given its time back: %s", game_id, error)
    except (Refused, Busy, StorageDown, StoreError) as error:
        log.warning("game %s could not be given its time back: %s", game_id, error)


class StallWatchdog:
    """Watches the event loop of a process. `processor_s` returns the CPU seconds that it has used."""

    __slots__ = ("_beat_at", "_processor_s", "_rounds", "_used_s")

    def __init__(self, rounds: Rounds, processor_s: Callable[[], float] = time.process_time) -> None:
        self._rounds = rounds
        self._processor_s = processor_s
        self._beat_at = 0
        self._used_s = 0.0

    def start(self) -> None:
        """Starts watching.

        It uses a plain timer of the loop, which runs before the commands that have piled up are decided.
        """
        self._watch_from(self._rounds.services.now())

    def _watch_from(self, now: int) -> None:
        self._beat_at = now
        self._used_s = self._processor_s()
        asyncio.get_running_loop().call_later(BEAT_S, self._beat)

    def _beat(self) -> None:
        now = self._rounds.services.now()
        late = now - self._beat_at - int(BEAT_S * 1000)
        if late > NOTED_MS:
            log.log(logging.WARNING if late >= WARNED_MS else logging.DEBUG, "the server stood still for %d ms", late)
            stats = self._rounds.services.stats
            stats.stalls += 1
            stats.longest_stall_ms = max(stats.longest_stall_ms, late)
        if late > STALL_MS:
            busy = (self._processor_s() - self._used_s) * 1000 > STOPPED * late
            for one in self._rounds:
                try:
                    one.credit_stall(late, busy=busy)
                except Exception:
                    # The other games are to get their time, and the watch to go on.
                    log.exception("game %s was not given its time back", one.game.id)
        if not self._rounds.stopping:
            # From the beginning of this: giving back takes time, too, and may itself be interrupted.
            self._watch_from(now)
