"""Perft: counts the leaves of the tree of legal moves, the usual proof that a move generator is right.

It knows positions and legal moves only; endings by repetition, by a move count or by material do not cut the
tree, as in every other perft program.
"""

from server.rules.movegen.legal import legal_moves, play_trusted
from server.rules.movegen.position import Position
from server.rules.notation.uci import format_uci


def perft(position: Position, depth: int) -> int:
    """The number of move sequences of exactly `depth` plies from `position`; 1 at depth 0.

    The last ply is counted from the move list without playing it.
    """
    if depth <= 0:
        return 1
    moves = legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(play_trusted(position, move), depth - 1) for move in moves)


def divide(position: Position, depth: int) -> dict[str, int]:
    """The perft of `depth` split by first move: UCI text -> leaves below it, sorted by the text. Depth at least 1."""
    counts = {
        format_uci(position, move): perft(play_trusted(position, move), depth - 1) for move in legal_moves(position)
    }
    return dict(sorted(counts.items()))
