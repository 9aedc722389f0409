"""Looks every minute for correspondence games in which a reminder is due, and has their rounds note and publish it.

One indexed look-up finds them, however many games are idle. The note is a change of the game like any other: of several
processes one stores it, and that one publishes; a move that was stored first leaves nothing to remind of. If a process
dies in between, the event is lost, not repeated; whoever tells people finds the mark that the note left. Knows no way
to reach a player.
"""

import logging
from typing import Final

from server.games.errors import Refused
from server.games.reminders import Remind
from server.realtime.play.command_queue import Busy
from server.realtime.play.game_writer import StorageDown
from server.realtime.play.rounds import Rounds
from server.storage.errors import Unreadable

log = logging.getLogger(__name__)

REMIND_EVERY_S: Final = 60.0
OVERDUE_MS: Final = 120_000
"""The process where a game is followed knows whether the player is at the board; the others step in this late."""
AT_ONCE: Final = 200


async def remind_players(rounds: Rounds) -> None:
    """Gives the reminders that are due, at most AT_ONCE; the others wait for the next look. Raises Unavailable."""
    services = rounds.services
    now = services.now()
    due = await services.store.to_remind(now, AT_ONCE)
    if not services.bus.alone:
        followed = [game_id for game_id in due if rounds.in_memory(game_id) is not None]
        due = (*followed, *await services.store.to_remind(now - OVERDUE_MS, AT_ONCE))
    for game_id in dict.fromkeys(due):
        await _remind(rounds, game_id)


async def _remind(rounds: Rounds, game_id: str) -> None:
    try:
        found = await rounds.get(game_id)
        if found is not None:
            await found.submit(Remind(), rounds.services.now(), patience_ms=0)
    except Unreadable:
        # It has been logged, and counted as damaged.
        return
    except (Refused, Busy, StorageDown) as error:
        log.info("game %s: the player to move was not reminded: %s", game_id, error)
