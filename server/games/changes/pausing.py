"""What the server does to a clock because of itself: it was away, or it stood still. Nobody pays for that.

Knows no reasons: it is told since when, and how long.
"""

from server.games.changes.ending import Transition
from server.games.events import ClockAdjusted, ClockPaused, ClockResumed
from server.games.frozen import replace
from server.games.state import Game


def pause(game: Game, since: int) -> Transition:
    """Time after `since` (ms) does not count, also for the first moves of an unstarted game."""
    if game.clock.paused_at is not None:
        return game, ()
    return replace(game, clock=game.clock.pause(since)), (ClockPaused(),)


def resume(game: Game, now: int) -> Transition:
    """Go on from `now`."""
    paused_at = game.clock.paused_at
    if paused_at is None:
        return game, ()
    away = max(0, now - paused_at)
    expires = None if game.expires is None else game.expires + away
    return replace(game, clock=game.clock.resume(now), expires=expires), (ClockResumed(),)


def credit(game: Game, ms: int, now: int, *, busy: bool) -> Transition:
    """Give the running side `ms` back; what had not passed of its turn cannot be given back.

    `busy`: the server was there and had too much to do, for which there is a limit (`Clock.credit_busy`).
    """
    clock = game.clock.credit_busy(ms, now) if busy else game.clock.credit(ms, now)
    given = clock.since - game.clock.since
    if given == 0:
        return game, ()
    return replace(game, clock=clock), (ClockAdjusted(given),)
