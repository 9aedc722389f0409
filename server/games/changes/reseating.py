"""A seat that goes to somebody else, or whose holder gets another name: a guest has registered or signed in, or
somebody has left the site. Nothing in the play changes, so it may happen at any time, after the end too.

Knows no moves.
"""

from server.games.errors import OwnChallenge
from server.games.events import Event, Joined
from server.games.frozen import replace
from server.games.player import Player
from server.games.state import Game
from server.rules.variant.pieces import Color


def reseat(game: Game, holder: str, player: Player) -> tuple[Game, tuple[Event, ...]]:
    """The holder of a seat gives it to `player`. Who sits nowhere, or is that already, changes nothing.

    Raises OwnChallenge when they would then play against themselves.
    """
    color = game.color_of(holder)
    if color is None or game.player(color) == player:
        return game, ()
    if game.color_of(player.id) is color.other:
        raise OwnChallenge("against_oneself")
    white = player if color is Color.WHITE else game.white
    black = player if color is Color.BLACK else game.black
    return replace(game, white=white, black=black), (Joined(color, player),)
