"""Claiming a game: of an opponent who has left, has not come back, or has run out of time."""

from dataclasses import dataclass
from typing import ClassVar

from server.games.changes.adjourning import claim_adjourned
from server.games.changes.ending import claim_abandoned
from server.games.changes.flagging import claim_time
from server.games.command import ADJOURNED, LIVE, PlayerCommand
from server.games.events import Transition
from server.games.state import Game


@dataclass(frozen=True, slots=True)
class Claim(PlayerCommand):
    """Claim a win or a draw because the opponent has left, as the round has checked, has not come back to an adjourned
    game, or has no time left in a correspondence game.
    """

    taken_in: ClassVar = LIVE | ADJOURNED
    as_draw: bool = False

    def apply(self, game: Game, now: int) -> Transition:
        claim = claim_time if game.terms.control.by_days else claim_abandoned
        if game.adjourned is not None:
            claim = claim_adjourned
        return claim(game, self.color, now, as_draw=self.as_draw)
