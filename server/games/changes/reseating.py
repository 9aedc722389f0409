"""Passing a seat to another player or renaming its player: a guest registered or signed in, or an account was deleted.

Play is not affected, so it can happen at any time, even after the game.
"""

from dataclasses import dataclass
from typing import ClassVar

from server.games.clocks.time_control import with_color
from server.games.command import ALWAYS, Command
from server.games.errors import OwnChallenge
from server.games.events import Joined, Transition
from server.games.frozen import replace
from server.games.player import DELETED_NAME, Player
from server.games.state import Game


@dataclass(frozen=True, slots=True)
class Reseat(Command):
    """Give the seat of `holder` (an id) to `player`, who may be the same person with a new name, or has proposed the
    game instead of them. Nothing changes if there is no such seat, or it is theirs already.

    Raises OwnChallenge if they would then play against themselves.
    """

    taken_in: ClassVar = ALWAYS
    outlasts_time: ClassVar = True
    holder: str
    player: Player

    def apply(self, game: Game, now: int) -> Transition:
        if game.proposer is not None and game.proposer.id == self.holder:
            after = None if self.player.name == DELETED_NAME else self.player
            return (game, ()) if after == game.proposer else (replace(game, proposer=after), ())
        color = game.color_of(self.holder)
        if color is None or game.player(color) == self.player:
            return game, ()
        if game.color_of(self.player.id) is color.other:
            raise OwnChallenge("against_oneself")
        white, black = with_color((game.white, game.black), color, self.player)
        return replace(game, white=white, black=black), (Joined(color, self.player),)
