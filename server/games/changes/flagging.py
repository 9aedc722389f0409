"""A choice in correspondence games: what comes of the opponent's fallen flag is for a player to say, not for the clock.

Whoever has chosen so loses nothing by it. The opponent may go on to move, with nothing left but what the move brings;
until they do, the player claims the win, as the flag would have given it, or a draw, or waits on. Taking the choice
back while the opponent's time is over is the same as to claim. The opponent sees the choice: both know how they play.
"""

from dataclasses import dataclass
from typing import ClassVar

from server.games.changes.ending import end, flag, flag_fell
from server.games.clocks.time_control import for_color, with_color
from server.games.command import ADJOURNED, LIVE, OPEN, PlayerCommand
from server.games.errors import NotAllowed
from server.games.events import FlaggingChosen, Transition
from server.games.frozen import replace
from server.games.state import Game
from server.rules.endings import Outcome
from server.rules.variant.pieces import Color

FORGIVEN = "forgiven"
"""The reason of a draw that a player made of their opponent's fallen flag."""


@dataclass(frozen=True, slots=True)
class ChooseFlagging(PlayerCommand):
    """Choose whether the opponent's time ends a correspondence game by itself, or by the own hand."""

    taken_in: ClassVar = OPEN | LIVE | ADJOURNED
    by_hand: bool

    def apply(self, game: Game, now: int) -> Transition:
        return choose_flagging(game, self.color, now, by_hand=self.by_hand)


def choose_flagging(game: Game, color: Color, now: int, *, by_hand: bool) -> Transition:
    """`color` chooses whether the opponent's time ends the game by itself. Repeating it changes nothing.

    Raises NotAllowed in a game without days for each move.
    """
    if not game.terms.control.by_days:
        raise NotAllowed("flagging_not_by_days")
    if for_color(game.flags_by_hand, color) is by_hand:
        return game, ()
    chosen = replace(game, flags_by_hand=with_color(game.flags_by_hand, color, by_hand))
    after, events = flag(chosen, now)
    return after, (FlaggingChosen(color, by_hand), *events)


def claim_time(game: Game, color: Color, now: int, *, as_draw: bool) -> Transition:
    """A win for `color`, whose opponent's time is over; a draw if `as_draw` or if they could never mate.

    Raises NotAllowed as long as the opponent has time. Time that was over stays so while they are on vacation.
    """
    if game.clock.turn is not color.other or game.clock.remaining(color.other, now):
        raise NotAllowed("claim_in_time")
    return end(game, Outcome(None, FORGIVEN), now) if as_draw else flag_fell(game, now)
