"""Clocks that stand and go on again: what the server changes for its own sake, because it was down or stalled, which no
player pays for; and how a clock goes on that the players have stopped.
"""

from dataclasses import dataclass
from typing import ClassVar

from server.games.clock_events import ClockAdjusted, ClockPaused, ClockResumed
from server.games.clocks.time_control import DAY_MS, with_color
from server.games.command import LIVE, Command
from server.games.events import Transition
from server.games.frozen import replace
from server.games.state import Game


@dataclass(frozen=True, slots=True)
class Pause(Command):
    """Pause the clock, and the deadline of a first move, as of `since` (ms): the server was down afterwards."""

    taken_in: ClassVar = LIVE
    outlasts_time: ClassVar = True
    since: int

    def apply(self, game: Game, now: int) -> Transition:
        if game.clock.paused_at is not None:
            return game, ()
        return replace(game, clock=game.clock.pause(self.since)), (ClockPaused(),)


@dataclass(frozen=True, slots=True)
class CreditStall(Command):
    """Give the running side back up to `ms` of its turn, for which the server stalled.

    `busy`: it stalled because it was overloaded, which players can cause; so there is a limit (`Clock.credit_busy`).
    """

    taken_in: ClassVar = LIVE
    outlasts_time: ClassVar = True
    ms: int
    busy: bool = False

    def apply(self, game: Game, now: int) -> Transition:
        clock = game.clock.credit_busy(self.ms, now) if self.busy else game.clock.credit(self.ms, now)
        given = clock.since - game.clock.since
        if given == 0:
            return game, ()
        return replace(game, clock=clock), (ClockAdjusted(given),)


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


def with_a_day(game: Game, now: int) -> Game:
    """The game whose side to move, which may hear hours later that its clock goes on from `now` (ms), has a day."""
    clock, mover = game.clock, game.to_move
    if game.expires is not None:
        counted_to = now if clock.paused_at is None else clock.paused_at
        return replace(game, expires=max(game.expires, counted_to + DAY_MS))
    if (clock.remaining(mover, now) or 0) >= DAY_MS:
        return game
    # A turn of a day begins, with its own reminders.
    return replace(game, clock=replace(clock.start(mover, now), left_ms=with_color(clock.left_ms, mover, DAY_MS)))
