"""Claiming a game: of an opponent who has left, has not come back, or has run out of time."""

from dataclasses import dataclass
from typing import ClassVar

from server.games.changes.adjourning import claimable_at
from server.games.changes.ending import end, flag_fell
from server.games.command import ADJOURNED, LIVE, PlayerCommand
from server.games.errors import NotAllowed
from server.games.events import Transition
from server.games.state import Game
from server.rules.endings import Outcome, can_win
from server.rules.variant.pieces import Color

FORGIVEN = "forgiven"
"""The reason of a draw that a player made of their opponent's fallen flag."""


@dataclass(frozen=True, slots=True)
class Claim(PlayerCommand):
    """Claim a win or a draw because the opponent has left, as the round has checked, has not come back to an adjourned
    game, or has no time left in a correspondence game.
    """

    taken_in: ClassVar = LIVE | ADJOURNED
    as_draw: bool = False

    def apply(self, game: Game, now: int) -> Transition:
        claim = _claim_time if game.terms.control.by_days else _claim_abandoned
        if game.adjourned is not None:
            claim = _claim_adjourned
        return claim(game, self.color, now, as_draw=self.as_draw)


def _claim_abandoned(game: Game, color: Color, now: int, *, as_draw: bool) -> Transition:
    """`color` claims the game because the opponent has left: a win, or a draw if `as_draw` or if they could never mate.

    Raises NotAllowed before both have moved and in correspondence or untimed games, which one may leave.
    """
    if not game.started:
        raise NotAllowed("not_begun")
    if not game.terms.control.by_the_minute:
        raise NotAllowed("no_claim_untimed")
    return _claim_for(game, color, now, as_draw=as_draw)


def _claim_adjourned(game: Game, color: Color, now: int, *, as_draw: bool) -> Transition:
    """A win or a draw for `color`, whose opponent has not come back. Raises NotAllowed before `claimable_at`,
    and while a correspondence game is paused, where nobody waits for anybody.
    """
    if game.terms.control.by_days:
        raise NotAllowed("paused")
    at = claimable_at(game, color)
    if at is None or now < at:
        raise NotAllowed("claim_too_early")
    return _claim_for(game, color, now, as_draw=as_draw)


def _claim_time(game: Game, color: Color, now: int, *, as_draw: bool) -> Transition:
    """A win for `color`, whose opponent's time is over; a draw if `as_draw` or if they could never mate.

    Raises NotAllowed as long as the opponent has time. Time that was over stays so while they are on vacation.
    """
    if game.clock.turn is not color.other or game.clock.remaining(color.other, now):
        raise NotAllowed("claim_in_time")
    return end(game, Outcome(None, FORGIVEN), now) if as_draw else flag_fell(game, now)


def _claim_for(game: Game, color: Color, now: int, *, as_draw: bool) -> Transition:
    """A win for `color` because the opponent is gone; a draw if `as_draw` or if they could never mate."""
    wins = not as_draw and can_win(game.position, color)
    return end(game, Outcome(color if wins else None, "left"), now)
