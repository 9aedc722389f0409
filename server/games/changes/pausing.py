"""Clocks that stand and go on again: for the server's own sake, by agreement, and while somebody is on vacation.

*The server* was down or stalled, which no player pays for.

*An adjournment* stops both clocks for as long as it takes. A game by the minute resumes when both players are ready and
at the board, and who is there is for the round to know. A player who has been ready for two weeks may claim the game,
just as a player who misses the resumption over the board loses it.

*A pause* is that in a correspondence game. Nobody need be at the board, so either player ends it by a word, and nobody
can hold the other up. Both go on with the time that they had. A player who did not end it, and may hear of it hours
later, has a day at least if the move is theirs; whoever ends a pause gains nothing by it, so no pause is asked for to
gain time.

*A vacation* of either player in a correspondence game stops its clock until the time they have given. Whoever comes
back has exactly the time that was left when they went, and so has their opponent. To give them more, be it a day to
settle in, would sell thinking time for a day of vacation, and be worth most to those whose flag is about to fall. But
nobody is surprised: if somebody comes back sooner than they had said, with less than a day's notice, an opponent whose
move it is has a day at least, as at the end of a pause. Moves can be played meanwhile, also by whoever is away, and end
no vacation; the next turn then begins, and waits, full. How many days somebody may be away, and in which games they
are, is decided elsewhere (`server.games.clocks.vacations`).
"""

from dataclasses import dataclass
from typing import ClassVar

from server.games.changes.ending import close_offers
from server.games.clocks.time_control import DAY_MS, PerSide, for_color, with_color
from server.games.command import ADJOURNED, LIVE, Command, PlayerCommand
from server.games.errors import NotAllowed
from server.games.events import Adjourned, Away, ClockAdjusted, ClockPaused, ClockResumed, Ready, Transition
from server.games.frozen import replace
from server.games.state import Adjournment, Game, OfferKind
from server.games.status import Status
from server.rules.variant.pieces import Color


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


@dataclass(frozen=True, slots=True)
class KeepTurn(Command):
    """Store that the turn at half-move `ply` began no earlier than `since` (ms), as the process knows that gave time
    back, so that every other one knows it, too. Repeating it changes nothing that is shown.
    """

    taken_in: ClassVar = LIVE
    outlasts_time: ClassVar = True
    ply: int
    since: int

    def apply(self, game: Game, now: int) -> Transition:
        clock = game.clock
        if len(game.plies) != self.ply or clock.turn is None or clock.paused_at is not None:
            return game, ()
        given = max(0, self.since - clock.since)
        # A new value in any case: what has been given back in memory is not stored yet.
        kept = replace(game, clock=replace(clock, since=clock.since + given))
        return kept, (ClockAdjusted(given),) if given else ()


def resume_clock(game: Game, now: int) -> Transition:
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
    """End the vacations whose time has passed."""

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


CLAIM_AFTER_MS = 14 * DAY_MS
"""How long a player must have been ready before they may claim against an opponent who is not."""


@dataclass(frozen=True, slots=True)
class ResumeReady(PlayerCommand):
    """Be ready to resume an adjourned game, or end the pause of a correspondence game.

    Saying so twice changes nothing.
    """

    taken_in: ClassVar = ADJOURNED

    def apply(self, game: Game, now: int) -> Transition:
        adjournment = game.adjourned
        assert adjournment is not None
        if game.terms.control.by_days:
            return _end_pause(game, self.color, now)
        if for_color(adjournment.ready, self.color):
            return game, ()
        return replace(game, adjourned=replace(adjournment, ready=with_color(adjournment.ready, self.color, now))), (
            Ready(self.color),
        )


@dataclass(frozen=True, slots=True)
class Resume(Command):
    """Resume a paused clock; or an adjourned game, whose clock runs again when nobody is away any more.

    Raises NotAllowed until both are ready.
    """

    taken_in: ClassVar = LIVE | ADJOURNED
    outlasts_time: ClassVar = True

    def apply(self, game: Game, now: int) -> Transition:
        if game.adjourned is None:
            return resume_clock(game, now)
        if not both_ready(game):
            raise NotAllowed("not_both_ready")
        return _going_on(game, now), (ClockResumed(),)


def check_can_adjourn(game: Game, kind: OfferKind) -> None:
    """Raises NotAllowed before both have moved, against the computer, and where no clock is running: by the minute for
    an adjournment, by days for a pause.
    """
    if game.computer is not None:
        raise NotAllowed("no_adjournment_computer")
    if not game.started:
        raise NotAllowed("not_begun")
    if kind is OfferKind.ADJOURN and not game.terms.control.by_the_minute:
        raise NotAllowed("no_adjournment_untimed")
    if kind is OfferKind.PAUSE and not game.terms.control.by_days:
        raise NotAllowed("no_pause_untimed")


def adjourn_game(game: Game, now: int) -> Transition:
    """Both players have agreed: the clocks stop at `now` and offers lapse."""
    game, closed = close_offers(game)
    limits = replace(game.offer_limits, adjourns=(0, 0))
    adjourned = replace(
        game, status=Status.ADJOURNED, adjourned=Adjournment(now), clock=game.clock.pause(now), offer_limits=limits
    )
    return adjourned, (*closed, Adjourned())


def both_ready(game: Game) -> bool:
    """May the game resume as soon as both players are at the board?"""
    return game.adjourned is not None and all(game.adjourned.ready)


def _going_on(game: Game, now: int) -> Game:
    game = replace(game, status=Status.LIVE, adjourned=None, away=still_away(game, now))
    return game if game.on_vacation else resumed(game, now)


def _end_pause(game: Game, color: Color, now: int) -> Transition:
    """`color` ends the pause of a correspondence game at `now` (ms)."""
    game = replace(_going_on(game, now), pause_ended=len(game.plies))
    return (game if game.to_move is color else with_a_day(game, now)), (ClockResumed(),)


def claimable_at(game: Game, color: Color) -> int | None:
    """When (ms) `color` may claim the adjourned game; None if that side is not ready, or both are."""
    adjournment = game.adjourned
    if adjournment is None or not for_color(adjournment.ready, color) or for_color(adjournment.ready, color.other):
        return None
    return for_color(adjournment.ready, color) + CLAIM_AFTER_MS
