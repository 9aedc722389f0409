"""A choice in correspondence games: a player decides what happens when the opponent's flag has fallen, not the clock.

Whoever has chosen this loses nothing by it. The opponent may still move, with no time left but what the move adds;
until they do, the player may claim the win that the flag would have given, or a draw, or keep waiting. Taking the
choice back while the opponent's time is over amounts to a claim. The opponent sees the choice: both know how they play.
"""

from dataclasses import dataclass
from typing import ClassVar

from server.games.changes.ending import flag
from server.games.clocks.time_control import for_color, with_color
from server.games.command import ADJOURNED, LIVE, OPEN, PlayerCommand
from server.games.errors import NotAllowed
from server.games.events import FlaggingChosen, Transition
from server.games.frozen import replace
from server.games.state import Game


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
        after, events = flag(chosen, now)
        return after, (FlaggingChosen(self.color, self.by_hand), *events)
