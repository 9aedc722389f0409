"""Games for pictures: random ones, the same each time, with every kind of move that a variant has."""

import random
from functools import cache

from server.pictures.scene import scenes
from server.rules.movegen.legal import legal_moves, play
from server.rules.notation.fen import start_position
from tests.support.rules.built_in import VARIANTS


@cache
def random_game(variant_id, plies, seed=1):
    """The scenes of a game of at most that many half-moves."""
    chance, position = random.Random(seed), start_position(VARIANTS[variant_id])
    start, played = position, []
    while len(played) < plies and (moves := legal_moves(position)):
        played.append(chance.choice(moves))
        position = play(position, played[-1])
    return list(scenes(start, [move.uci for move in played]))
