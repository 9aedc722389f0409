"""Adjourning a game by agreement, and resuming it. Both clocks stop meanwhile, for as long as it takes.

A game by the minute resumes when both players are ready and at the board. A player who has been ready for two weeks may
claim the game, just as a player who misses the resumption over the board loses it. Who is at the board is for the round
to know.

In a correspondence game that is a pause. Nobody need be at the board, so either player ends it by a word, and nobody
can hold the other up. Both go on with the time that they had. A player who did not end it, and may hear of it hours
later, has a day at least if the move is theirs; whoever ends a pause gains nothing by it, so no pause is asked for to
gain time.
"""

from dataclasses import dataclass
from typing import ClassVar

from server.games.changes.ending import close_offers
from server.games.changes.pausing import resume, resumed, with_a_day
from server.games.changes.vacation import still_away
from server.games.clock_events import ClockResumed
from server.games.clocks.time_control import DAY_MS, for_color, with_color
from server.games.command import ADJOURNED, LIVE, Command, PlayerCommand
from server.games.errors import NotAllowed
from server.games.events import Adjourned, Ready, Transition
from server.games.frozen import replace
from server.games.state import Adjournment, Game, OfferKind
from server.games.status import Status
from server.rules.variant.pieces import Color

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
            return resume(game, now)
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


def adjourn(game: Game, now: int) -> Transition:
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
