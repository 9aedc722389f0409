"""Claiming a game: of an opponent who has left, has not come back, or has run out of time.

In correspondence games a player can choose that the opponent's time does not end the game by itself. The opponent may
then still move, with no time left but what the move adds; until they do, the player may claim the win that the flag
would have given, or a draw, or keep waiting. So whoever has chosen this loses nothing by it. Taking the choice back
while the opponent's time is over amounts to a claim. The opponent sees the choice: both know how they play.
"""

from dataclasses import dataclass
from typing import ClassVar

from server.games.changes.ending import end_game, flag_fell, flag_running_side
from server.games.changes.pausing import claimable_at
from server.games.clocks.time_control import for_color, with_color
from server.games.command import ADJOURNED, LIVE, OPEN, PlayerCommand
from server.games.errors import NotAllowed
from server.games.events import FlaggingChosen, Transition
from server.games.frozen import replace
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
    return end_game(game, Outcome(None, FORGIVEN), now) if as_draw else flag_fell(game, now)


def _claim_for(game: Game, color: Color, now: int, *, as_draw: bool) -> Transition:
    """A win for `color` because the opponent is gone; a draw if `as_draw` or if they could never mate."""
    wins = not as_draw and can_win(game.position, color)
    return end_game(game, Outcome(color if wins else None, "left"), now)


@dataclass(frozen=True, slots=True)
class ChooseFlagging(PlayerCommand):
    """Choose whether the opponent's time ends a correspondence game by itself, or only by a claim of one's own.

    Repeating it changes nothing. Raises NotAllowed in a game without days for each move.
    """

    taken_in: ClassVar = OPEN | LIVE | ADJOURNED
    by_hand: bool

    def apply(self, game: Game, now: int) -> Transition:
        if not game.terms.control.by_days:
            raise NotAllowed("flagging_not_by_days")
        if for_color(game.flags_by_hand, self.color) is self.by_hand:
            return game, ()
        chosen = replace(game, flags_by_hand=with_color(game.flags_by_hand, self.color, self.by_hand))
        after, events = flag_running_side(chosen, now)
        return after, (FlaggingChosen(self.color, self.by_hand), *events)
