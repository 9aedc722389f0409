"""Perft: counts the leaves of the legal move tree, the usual test of a move generator.

As in every perft, repetition, the move rule and insufficient material do not cut the tree.
"""

from server.rules.movegen.legal import legal_moves
from server.rules.movegen.making import play_trusted
from server.rules.movegen.position import Position


def perft(position: Position, depth: int) -> int:
    """The number of legal lines of exactly `depth` plies; 1 at depth 0.

    The last ply is counted without being played.
    """
    if depth <= 0:
        return 1
    moves = legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(play_trusted(position, move), depth - 1) for move in moves)


def divide(position: Position, depth: int) -> dict[str, int]:
    """The perft of `depth` (at least 1) by first move: UCI to leaves, sorted by UCI."""
    counts = {move.uci: perft(play_trusted(position, move), depth - 1) for move in legal_moves(position)}
    return dict(sorted(counts.items()))
