"""Gives players back the time without a server. Call `recover` at the start, before accepting connections.

A game whose clock was running is paused as of the last heartbeat, and resumes when its players are back
(round_timers.py). A correspondence game gets the time back if it was long.
"""

import asyncio
import logging
from typing import Final

from server.games.changes.pausing import CreditStall, Pause
from server.games.clocks.time_control import ClockKind
from server.games.command import Command
from server.games.errors import Refused
from server.games.state import Game
from server.games.status import Status
from server.realtime.play.command_queue import Busy
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.rounds import Rounds
from server.realtime.process.heartbeat import Heartbeat
from server.storage.errors import StoreError, Unreadable

log = logging.getLogger(__name__)

LONG_MS: Final = 300_000
"""Correspondence deadlines are moved only for longer absences."""
AT_ONCE: Final = 50


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
    except (Refused, Busy, StorageDown, StoreError):
        log.exception("game %s could not be given its time back", game_id)
