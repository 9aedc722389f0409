"""What the server changes on a clock for its own sake, because it was down or stalled: no player pays for that."""

from server.games.changes.ending import Transition
from server.games.events import ClockAdjusted, ClockPaused, ClockResumed
from server.games.frozen import replace
from server.games.state import Game


def pause(game: Game, since: int) -> Transition:
    """Time after `since` (ms) does not count, nor towards the deadline of a first move."""
    if game.clock.paused_at is not None:
        return game, ()
    return replace(game, clock=game.clock.pause(since)), (ClockPaused(),)


def resume(game: Game, now: int) -> Transition:
    """The clock goes on from `now` (ms), unless it stands because somebody is away: that ends at its own time."""
    if game.clock.paused_at is None or game.on_vacation:
        return game, ()
    return resumed(game, now), (ClockResumed(),)


def resumed(game: Game, now: int) -> Game:
    """The game whose paused clock, and the deadline of a first move, go on from `now` (ms)."""
    paused_at = game.clock.paused_at
    if paused_at is None:
        return game
    stood = max(0, now - paused_at)
    expires = None if game.expires is None else game.expires + stood
    return replace(game, clock=game.clock.resume(now), expires=expires)


def credit(game: Game, ms: int, now: int, *, busy: bool) -> Transition:
    """Gives the running side back up to `ms` of its turn.

    `busy`: the server was overloaded, for which there is a limit (`Clock.credit_busy`).
    """
    clock = game.clock.credit_busy(ms, now) if busy else game.clock.credit(ms, now)
    given = clock.since - game.clock.since
    if given == 0:
        return game, ()
    return replace(game, clock=clock), (ClockAdjusted(given),)
