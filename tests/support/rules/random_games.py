"""Games at random, the same each time."""

import random
from collections import Counter

from server.rules.endings import outcome
from server.rules.movegen.legal import legal_moves, repetition_key
from server.rules.movegen.legal import play as play_move
from server.rules.notation.fen import start_position
from tests.support.rules.built_in import VARIANTS


def random_game(plies):
    """Legal moves of a crazyhouse game that is not over by then; the first seed that gives one."""
    for seed in range(1000):
        draw = random.Random(seed)
        position = start_position(VARIANTS["crazyhouse"])
        seen, moves = Counter([repetition_key(position)]), []
        while len(moves) < plies and outcome(position, seen[repetition_key(position)]) is None:
            move = draw.choice(legal_moves(position))
            moves.append(move.uci)
            position = play_move(position, move)
            seen[repetition_key(position)] += 1
        if len(moves) == plies:
            return moves
    raise AssertionError("every random game ended early")
