"""Vacations in a correspondence game: while either player is away the clock stands, until the time they have given.

Whoever comes back has exactly the time that was left when they went, and so has their opponent. To give them more, be
it a day to settle in, would sell thinking time for a day of vacation, and be worth most to those whose flag is about to
fall. But nobody is surprised: if somebody comes back sooner than they had said, with less than a day's notice, an
opponent whose move it is has a day at least, as at the end of a pause. Moves can be played meanwhile, also by whoever
is away, and end no vacation; the next turn then begins, and waits, full. How many days somebody may be away, and in
which games they are, is decided elsewhere (`server.games.clocks.vacations`).
"""

from dataclasses import dataclass
from typing import ClassVar

from server.games.changes.pausing import resumed, with_a_day
from server.games.clock_events import Away
from server.games.clocks.time_control import DAY_MS, PerSide, for_color, with_color
from server.games.command import ADJOURNED, LIVE, Command, PlayerCommand
from server.games.errors import NotAllowed
from server.games.events import Transition
from server.games.frozen import replace
from server.games.state import Game
from server.games.status import Status
from server.rules.variant.pieces import Color


@dataclass(frozen=True, slots=True)
class GoAway(PlayerCommand):
    """Be on vacation `until` then (ms), also if they had said another time: the clock of a correspondence game stands.

    Repeating it changes nothing, and a time that has passed means that they are back. Raises NotAllowed in a game
    without days for each move.
    """

    taken_in: ClassVar = LIVE | ADJOURNED
    until: int

    def apply(self, game: Game, now: int) -> Transition:
        if not game.terms.control.by_days:
            raise NotAllowed("vacation_not_by_days")
        if self.until <= now:
            return come_back(game, self.color, now)
        if for_color(game.away, self.color) == self.until:
            return game, ()
        after = replace(game, away=with_color(game.away, self.color, self.until), clock=game.clock.pause(now))
        return _without_surprise(game, after, self.color, now), (Away(self.color, self.until),)


@dataclass(frozen=True, slots=True)
class ComeBack(PlayerCommand):
    """Be back from a vacation before it would have ended."""

    taken_in: ClassVar = LIVE | ADJOURNED

    def apply(self, game: Game, now: int) -> Transition:
        return come_back(game, self.color, now)


@dataclass(frozen=True, slots=True)
class EndVacations(Command):
    """Whoever gave a time that has passed is back."""

    taken_in: ClassVar = LIVE

    def apply(self, game: Game, now: int) -> Transition:
        return _with_back(game, tuple(color for color in Color if 0 < for_color(game.away, color) <= now), now)


def come_back(game: Game, color: Color, now: int) -> Transition:
    """`color` is back before their time. If they were not away, nothing changes."""
    after, events = _with_back(game, (color,) if for_color(game.away, color) else (), now)
    return _without_surprise(game, after, color, now), events


def still_away(game: Game, now: int) -> PerSide:
    """`game.away` without the times that have passed."""
    white, black = (until if until > now else 0 for until in game.away)
    return white, black


def _without_surprise(before: Game, after: Game, color: Color, now: int) -> Game:
    """`after`, where `color` has just changed when the clock goes on, with a day for an opponent to move.

    Time that was over, which may be for `color` to claim, stays so.
    """
    goes_on = max(now, *after.away)
    soon = goes_on < max(before.away) and goes_on < now + DAY_MS
    surprised = soon and after.to_move is not color and after.status is Status.LIVE
    return with_a_day(after, now) if surprised and after.clock.remaining(after.to_move, now) else after


def _with_back(game: Game, back: tuple[Color, ...], now: int) -> Transition:
    """The game with these players back; its clock goes on once nobody is away."""
    if not back:
        return game, ()
    away = game.away
    for color in back:
        away = with_color(away, color, 0)
    game = replace(game, away=away)
    goes_on = not game.on_vacation and game.status is Status.LIVE
    return (resumed(game, now) if goes_on else game), tuple(Away(color, 0) for color in back)
