"""Giving time back to the side whose clock ran while this process stalled."""

import logging
from typing import Final

from server.games.changes.pausing import CreditStall
from server.games.clocks.clock import MAX_BUSY_MS
from server.games.clocks.time_control import for_color
from server.games.events import Event
from server.games.frozen import replace
from server.games.game import play
from server.games.state import Game
from server.games.status import Status
from server.realtime.play.round_presence import RoundPresence
from server.realtime.process.stats import Stats
from server.realtime.protocol.wire import side

log = logging.getLogger(__name__)

ELSEWHERE_MS: Final = 10_000
"""A page that has heard nothing for this long connects to another process, if there is one."""


def held_up_ms(game: Game, presence: RoundPresence, ms: int, now: int) -> int:
    """For how many of the last `ms` this process held up the side to move, if there are others."""
    turn = game.clock.turn
    here = turn is not None and presence[turn].only_here(now - ms)
    return min(ms, ELSEWHERE_MS) if here else 0


def credited(game: Game, stall: CreditStall, now: int, stats: Stats) -> tuple[Game, tuple[Event, ...]]:
    """`game` with the stall given back, and its events. The revision stays, since it is not stored by itself."""
    if game.status is not Status.LIVE:
        return game, ()
    after, events = play(game, stall, now)
    turn = game.clock.turn
    if turn is not None and for_color(game.clock.busy_ms, turn) < MAX_BUSY_MS <= for_color(after.clock.busy_ms, turn):
        stats.busy_limits += 1
        log.warning(
            "game %s: the server was busy on the turns of %s so often or so long that no more time is given back",
            game.id,
            side(turn),
        )
    return replace(after, rev=game.rev), events
