"""The subject of every mail about a game. It is the same for all of them, as many mail programs (those of Google and
Microsoft among them) take a mail with another subject for another conversation, whatever it refers to. What is new
stands in the first line. Pure.
"""

from server.games.changes.beginning import player_for
from server.games.state import Game
from server.language import Language
from server.rules.variant.pieces import Color


def game_subject(game: Game, color: Color, language: Language, called: str) -> str:
    """For the player of `color`: "Grand Chess against Ben (dTv2QzwC0u)". `called`: the name of the variant."""
    opponent = player_for(game, color.other)
    if opponent is None:
        # Nobody has taken that seat, and who was asked is not known any more.
        return language.plain("mail.unplayed_subject", variant=called)
    name = language.person(opponent.name)
    return language.plain("mail.game_subject", variant=called, name=name, game=game.id)
